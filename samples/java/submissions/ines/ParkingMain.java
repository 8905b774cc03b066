import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

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

    /** One ticket; row and place say where the vehicle stands. */
    private static class Ticket {
        Kind kind;
        int row, place, stamp;
    }

    private final BitSet[] taken = {new BitSet(), new BitSet(), new BitSet()};
    private final int[] capacity = new int[3];
    private final Map<String, Ticket> tickets = new TreeMap<>();
    private final Map<String, Consumer<String[]>> actions = new TreeMap<>();
    private int sorry;
    private Map.Entry<String, Integer> longest = Map.entry("none", 0);

    private ParkingMain() {
        actions.put("bays", this::resize);
        actions.put("in", this::issue);
        actions.put("out", this::settle);
        actions.put("where", w -> say(tickets.containsKey(w[1]) ? place(tickets.get(w[1])) : "gone"));
        actions.put("free", w -> {
            for (int row = 0; row < capacity.length; row++) {
                say("row " + row + ": " + (capacity[row] - taken[row].cardinality()) + " of " + capacity[row]);
            }
        });
    }

    private static void say(Object what) {
        System.out.println(what);
    }

    private static String place(Ticket t) {
        return String.valueOf("SML".charAt(t.row)).concat(Integer.toString(t.place + 1));
    }

    private void resize(String[] w) {
        int row = 0;
        do {
            capacity[row] = Integer.parseInt(w[row + 1]);
            taken[row].clear();
        } while (++row < 3);
    }

    private void issue(String[] w) {
        Ticket t = new Ticket();
        t.kind = Kind.of(w[3]);
        t.row = t.kind.row;
        t.stamp = minutes(w[1]);
        t.place = taken[t.row].nextClearBit(0);
        while (t.place >= capacity[t.row]) {
            if (++t.row == 3) {
                sorry++;
                say("Sorry " + w[2] + ", come back later.");
                return;
            }
            t.place = taken[t.row].nextClearBit(0);
        }
        taken[t.row].set(t.place);
        tickets.put(w[2], t);
        say("Ticket for " + place(t));
    }

    private void settle(String[] w) {
        Ticket t = tickets.remove(w[2]);
        if (t == null) {
            say("Lost ticket?");
            return;
        }
        taken[t.row].clear(t.place);
        int stay = (minutes(w[1]) + 1440 - t.stamp) % 1440;
        if (stay > longest.getValue()) {
            longest = Map.entry(w[2], stay);
        }
        say("Please pay " + euros(t.kind.collect(stay)));
    }

    private void close() {
        for (Kind k : Kind.values()) {
            say(k);
        }
        say("Sent home: " + sorry);
        say("Most patient: " + longest.getKey() + " with " + longest.getValue() + " minutes");
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        ParkingMain office = new ParkingMain();
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            office.actions.getOrDefault(words[0], w -> say("Pardon?")).accept(words);
        }
        office.close();
    }
}
