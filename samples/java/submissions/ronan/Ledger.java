import java.util.Arrays;

/** Remembers who paid how much. */
class Ledger {
    private String[] names = new String[8];
    private int[][] data = new int[8][]; // {time, tariff, price}
    private int used;
    int unhappy;

    int bill(String name, int start, int end, int tariff) {
        int time = end - start;
        while (time < 0) time += 1440; // after midnight
        int price = 0;
        if (time > 20) {
            for (int t = 0; t < time && price < 1200; t += 30) price += tariff;
        }
        price = price > 1200 ? 1200 : price;
        if (used == names.length) {
            names = Arrays.copyOf(names, used * 2);
            data = Arrays.copyOf(data, used * 2);
        }
        data[used] = new int[] {time, tariff, price};
        names[used++] = name;
        return price;
    }

    private int total(int tariff) {
        int result = 0;
        for (int[] d : Arrays.copyOf(data, used)) {
            if (d[1] == tariff) result += d[2];
        }
        return result;
    }

    /** Searches from the back; -1 for an empty ledger. */
    private int maxTime() {
        int best = used - 1;
        for (int k = best - 1; k >= 0; k--) {
            if (data[k][0] >= data[best][0]) best = k;
        }
        return best;
    }

    void show() {
        StringBuilder text = new StringBuilder("*** Ledger ***\n");
        int tariff = 40;
        for (String type : new String[] {"Moto", "Car", "Van"}) {
            text.append(String.format("%-10s %10s%n", type, ParkingMain.euros(total(tariff))));
            tariff = tariff == 40 ? 80 : 150;
        }
        text.append("Unhappy drivers ").append(unhappy).append('\n');
        int most = maxTime();
        if (most >= 0) {
            text.append("Most minutes ").append(names[most]).append(": ").append(data[most][0]).append('\n');
        }
        System.out.print(text);
    }
}
