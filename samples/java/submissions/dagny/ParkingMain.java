import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.BitSet;

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

    private static class Guest {
        Type type;
        int level, slot, since;
        String plate;
    }

    private final BitSet[] full = {new BitSet(), new BitSet(), new BitSet()};
    private final int[] limits = new int[3];
    private Guest[] guests = new Guest[0];
    private int noRoom;
    private String patient = "nobody";
    private int patience;

    private static void print(Object o) {
        System.out.println(o);
    }

    private static String label(Guest g) {
        return String.valueOf("SML".charAt(g.level)).concat(Integer.toString(g.slot + 1));
    }

    private void in(String[] w) {
        Guest g = new Guest();
        g.type = Type.named(w[3]);
        g.level = g.type.level;
        g.since = minutes(w[1]);
        g.slot = full[g.level].nextClearBit(0);
        while (g.slot >= limits[g.level]) {
            if (++g.level == 3) {
                noRoom++;
                print("No room for " + w[2] + ".");
                return;
            }
            g.slot = full[g.level].nextClearBit(0);
        }
        full[g.level].set(g.slot);
        g.plate = w[2];
        int last = guests.length;
        Guest[] more = new Guest[last + 1];
        System.arraycopy(guests, 0, more, 1, last);
        more[0] = g;
        guests = more;
        print("Go to " + label(g));
    }

    /** newest guest with this plate who is still here */
    private Guest guest(String plate) {
        Guest hit = null;
        int i = 0;
        while (hit == null && i < guests.length) {
            if (guests[i].slot >= 0 && plate.equals(guests[i].plate)) hit = guests[i];
            i++;
        }
        return hit;
    }

    private void out(int now, Guest g) {
        // a negative slot means that the guest has gone
        full[g.level].flip(g.slot);
        g.slot = -1;
        int time = now < g.since ? now + 1440 - g.since : now - g.since;
        if (patience < time) {
            patience = time;
            patient = g.plate;
        }
        System.out.format("%s pays %s%n", g.plate, euros(g.type.charge(time)));
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        ParkingMain p = new ParkingMain();
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            if (words.length == 1) {
                int empty = 0;
                for (int l = 2; l >= 0; l--)
                    empty += p.limits[l] - p.full[l].cardinality();
                print(empty + " empty");
            } else if (words.length == 4 && words[0].length() == 4) {
                for (int l = 3; l >= 1; l--)
                    p.limits[l - 1] = Integer.parseInt(words[l]);
            } else if (words.length == 4) {
                p.in(words);
            } else {
                boolean leaving = words.length == 3;
                Guest g = p.guest(leaving ? words[2] : words[1]);
                if (g == null) print("not a guest");
                else if (leaving) p.out(minutes(words[1]), g);
                else print(label(g));
            }
        }
        for (Type t : Type.values()) print(t);
        System.out.format("%d without room, %s waited %d%n", p.noRoom, p.patient, p.patience);
    }
}
