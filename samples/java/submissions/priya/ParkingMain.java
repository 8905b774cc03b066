import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    static class GarageException extends Exception {
        GarageException(String format, Object... args) {
            super(String.format(format, args));
        }
    }

    private static final Pattern COMING = Pattern.compile("in (\\S+) (\\S+) (moto|car|van)");
    private static final Pattern GOING = Pattern.compile("out (\\S+) (\\S+)");
    private static final Pattern SIZES = Pattern.compile("bays (\\d+) (\\d+) (\\d+)");

    // The garage is a text: one dot for every empty bay, '#' for a taken one;
    // the three sizes are separated by '|', e.g.  "..#|....|#."
    private static StringBuilder plan = new StringBuilder("||");
    // plate -> "position kind minute"
    private static final SortedMap<String, String> cards = new TreeMap<>();
    private static String ledger = "";   // every payment as "kind:cents;"
    private static int unlucky;
    private static String record = "0 -";

    private static void enter(Matcher m) throws GarageException {
        if (cards.containsKey(m.group(2)))
            throw new GarageException("%s cannot come twice", m.group(2));
        int start = 0;
        if (!m.group(3).equals("moto"))
            start = plan.indexOf("|");
        if (m.group(3).equals("van"))
            start = plan.lastIndexOf("|");
        int position = plan.indexOf(".", start);
        if (position == -1) {
            unlucky++;
            throw new GarageException("%s finds no bay", m.group(2));
        }
        plan.setCharAt(position, '#');
        cards.put(m.group(2), position + " " + m.group(3) + " " + minutes(m.group(1)));
        System.out.println(m.group(2) + " gets " + bayName(position));
    }

    private static String bayName(int position) {
        String before = plan.substring(0, position);
        int bars = before.replaceAll("[^|]", "").length();
        return "SML".substring(bars, bars + 1) + (position - before.lastIndexOf('|'));
    }

    private static void leave(Matcher m) throws GarageException {
        String card = cards.remove(m.group(2));
        if (card == null)
            throw new GarageException("%s has no card", m.group(2));
        String[] part = card.split(" ");
        plan.setCharAt(Integer.parseInt(part[0]), '.');
        int stay = minutes(m.group(1)) - Integer.parseInt(part[2]);
        stay += stay < 0 ? 1440 : 0;
        int cents = Math.min(1200, "moto,car,van".indexOf(part[1]) == 0 ? tariff(40, stay)
                : part[1].length() == 3 && part[1].charAt(0) == 'c' ? tariff(80, stay) : tariff(150, stay));
        ledger += part[1] + ":" + cents + ";";
        if (stay > Integer.parseInt(record.split(" ")[0]))
            record = stay + " " + m.group(2);
        System.out.println("payment " + euros(cents));
    }

    private static int tariff(int perHalf, int stay) {
        int sum = 0;
        for (int t = stay; stay > 20 && t > 0; t -= 30)
            sum += perHalf;
        return sum;
    }

    private static int ledgerSum(String kind) {
        int sum = 0;
        for (String item : ledger.split(";"))
            if (item.startsWith(kind + ":"))
                sum += Integer.parseInt(item.substring(item.indexOf(':') + 1));
        return sum;
    }

    private static void understand(String text) throws GarageException {
        Matcher m;
        if ((m = COMING.matcher(text)).matches()) enter(m);
        else if ((m = GOING.matcher(text)).matches()) leave(m);
        else if ((m = SIZES.matcher(text)).matches())
            plan = new StringBuilder(".".repeat(Integer.parseInt(m.group(1))) + "|"
                    + ".".repeat(Integer.parseInt(m.group(2))) + "|" + ".".repeat(Integer.parseInt(m.group(3))));
        else if (text.equals("free"))
            System.out.println(plan);
        else if (text.startsWith("where ") && cards.containsKey(text.substring(6)))
            System.out.println(bayName(Integer.parseInt(cards.get(text.substring(6)).split(" ")[0])));
        else throw new GarageException("no sense in '%s'", text);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            try {
                understand(String.join(" ", words));
            } catch (GarageException e) {
                System.out.println("! " + e.getMessage());
            }
        }
        for (String kind : "moto car van".split(" "))
            System.out.printf("%5s %7s%n", kind, euros(ledgerSum(kind)));
        System.out.println("unlucky drivers: " + unlucky + ", longest stay: " + record);
    }
}
