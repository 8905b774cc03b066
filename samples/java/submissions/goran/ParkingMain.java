import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;

/**
 * Programming 2, exercise sheet 6: the parking garage.
 * Fill in the places marked TODO; you may add methods and classes.
 */
public class ParkingMain {

    /** Turns "HH:MM" into minutes after midnight, or -1 if it is no time. */
    static int minutes(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            return -1;
        }
        int h = Integer.parseInt(text.substring(0, colon));
        int m = Integer.parseInt(text.substring(colon + 1));
        return h > 23 || m > 59 ? -1 : h * 60 + m;
    }

    /** Formats cents as euros, e.g. 1250 as 12.50. */
    static String euros(int cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }

    private static final List<String> COMMANDS = Arrays.asList("bays", "in", "out", "where", "free");

    // first index: size of the bay, second index: number of the bay
    private static Vehicle[][] deck = new Vehicle[3][0];
    private static final DayBook book = new DayBook();

    private static boolean park(Vehicle v) {
        for (int size = v.smallestBay(); size < 3; size++) {
            int gap = Arrays.asList(deck[size]).indexOf(null);
            if (gap >= 0) {
                deck[size][gap] = v;
                return true;
            }
        }
        return false;
    }

    /** Returns size and number of the bay, or null. */
    private static int[] locate(String plate) {
        for (int[] p = {0, 0}; p[0] < 3; p[0]++) {
            for (p[1] = 0; p[1] < deck[p[0]].length; p[1]++) {
                Vehicle v = deck[p[0]][p[1]];
                if (v != null && v.plate.equals(plate)) return p;
            }
        }
        return null;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            int cmd = COMMANDS.indexOf(words[0]);
            if (cmd == 0) {
                deck = new Vehicle[3][];
                for (int size = 0; size < 3; size++) {
                    deck[size] = new Vehicle[Integer.parseInt(words[1 + size])];
                }
            } else if (cmd == 1) {
                Vehicle v = Vehicle.create(words[3], words[2], minutes(words[1]));
                if (!park(v)) {
                    book.sentAway++;
                    System.out.println("No room for a " + v.getClass().getName());
                }
            } else if (cmd == 4) {
                for (Vehicle[] row : deck) {
                    System.out.print(Arrays.stream(row).filter(v -> v == null).count() + " ");
                }
                System.out.println("free");
            } else if (cmd > 1) {
                int[] p = locate(words[words.length - 1]);
                if (p == null) {
                    System.out.println("No such plate");
                } else if (cmd == 3) {
                    System.out.println("Deck " + p[0] + ", place " + p[1]);
                } else {
                    Vehicle v = deck[p[0]][p[1]];
                    deck[p[0]][p[1]] = null;
                    int fee = book.charge(v.plate, v.arrived, minutes(words[1]), v.centsPerHalfHour());
                    System.out.println("Fee: " + euros(fee));
                }
            }
        }
        book.print();
    }
}
