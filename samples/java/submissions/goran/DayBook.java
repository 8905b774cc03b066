import java.util.Arrays;

/** The book in which the cashier notes every departure. */
class DayBook {
    private String[] plates = new String[4];
    // one row per departure: minutes stayed, cents per half hour, cents paid
    private int[][] rows = new int[4][];
    private int entries;
    int sentAway;

    /** Calculates the fee, writes it down and returns it. */
    int charge(String plate, int from, int to, int rate) {
        int stay = to - from;
        while (stay < 0) stay += 1440;
        int fee = 0;
        if (stay > 20) {
            for (int begun = 0; begun < stay && fee < 1200; begun += 30) fee += rate;
        }
        fee = fee > 1200 ? 1200 : fee;
        if (entries == plates.length) {
            plates = Arrays.copyOf(plates, entries * 2);
            rows = Arrays.copyOf(rows, entries * 2);
        }
        rows[entries] = new int[] {stay, rate, fee};
        plates[entries++] = plate;
        return fee;
    }

    private int sumFor(int rate) {
        int sum = 0;
        for (int[] row : Arrays.copyOf(rows, entries)) {
            if (row[1] == rate) sum += row[2];
        }
        return sum;
    }

    private int indexOfLongest() {
        int where = entries - 1;
        for (int i = where - 1; i >= 0; i--) {
            if (rows[i][0] >= rows[where][0]) where = i;
        }
        return where;
    }

    void print() {
        StringBuilder page = new StringBuilder("Day book\n");
        int rate = 40;
        for (String kind : new String[] {"motos", "cars", "vans"}) {
            page.append(String.format("  %-6s%8s%n", kind, ParkingMain.euros(sumFor(rate))));
            rate = rate == 40 ? 80 : 150;
        }
        page.append("  sent away: ").append(sentAway).append('\n');
        int top = indexOfLongest();
        if (top >= 0) {
            page.append("  longest:   ").append(plates[top]).append(", ").append(rows[top][0]).append('\n');
        }
        System.out.print(page);
    }
}
