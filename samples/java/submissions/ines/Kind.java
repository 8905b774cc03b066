import java.util.Locale;

/** The kinds of vehicle with their tariff. */
public enum Kind {
    MOTO(0, 40), CAR(1, 80), VAN(2, 150);

    /** first usable row of bays */
    public final int row;
    private final int tariff;
    private int till = 0;

    Kind(int row, int tariff) {
        this.row = row;
        this.tariff = tariff;
    }

    public static Kind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public int collect(int stay) {
        if (stay <= 20) return 0;
        int units = (stay - 1) / 30 + 1;
        int amount = units * tariff < 1200 ? units * tariff : 1200;
        till += amount;
        return amount;
    }

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT)
                + "s brought " + ParkingMain.euros(till);
    }
}
