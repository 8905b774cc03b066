import java.util.Locale;

// moto, car and van
public enum Type {
    MOTO(0, 40), CAR(1, 80), VAN(2, 150);

    public final int level;
    private final int rate;
    private int income = 0;

    Type(int level, int rate) {
        this.level = level;
        this.rate = rate;
    }

    public static Type named(String s) {
        return valueOf(s.toUpperCase(Locale.ROOT));
    }

    // fee for a time, is also added to the income
    public int charge(int time) {
        if (time <= 20) return 0;
        int halves = (time - 1) / 30 + 1;
        int fee = halves * rate < 1200 ? halves * rate : 1200;
        income += fee;
        return fee;
    }

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT)
                + " income: " + ParkingMain.euros(income);
    }
}
