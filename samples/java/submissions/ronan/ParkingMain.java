import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Scanner;
import java.util.StringJoiner;

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

    // a space like "M2", and behind the colon who is in it since when:  "M2:AB-1,car,480"
    static StringJoiner nothing() {
        return new StringJoiner(" ", "Free:", ".").setEmptyValue("Free: none");
    }

    static int rateOf(String type) {
        switch (type.charAt(0)) {
            case 'm': return 40;
            case 'c': return 80;
            default:  return 150;
        }
    }

    static boolean mayUse(String type, String space) {
        int need = "mcv".indexOf(type.charAt(0));
        return "SML".indexOf(space.charAt(0)) >= need;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Ledger ledger = new Ledger();
        String[] spaces = {};
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            Scanner sc = new Scanner(line);
            String what = sc.next();
            if (what.startsWith("bay")) {
                String plan = "";
                for (char c : "SML".toCharArray()) {
                    int amount = sc.nextInt();
                    for (int q = 0; q++ < amount; ) plan += c + "" + q + ": ";
                }
                spaces = plan.split(" ");
                continue;
            }
            int clock = what.length() < 4 ? minutes(sc.next()) : 0;
            String car = sc.hasNext() ? sc.next() : null;
            boolean done = false;
            StringJoiner list = nothing();
            for (int s = 0; s < spaces.length && !done; s++) {
                String[] half = spaces[s].split(":", 2);
                boolean mine = half[1].startsWith(car + ",");
                if (car == null && half[1].isEmpty()) {
                    list.add(" " + half[0]);
                } else if (mine && what.equals("where")) {
                    System.out.println(car + " stands in " + half[0]);
                    done = true;
                } else if (mine && what.equals("out")) {
                    String[] info = half[1].split(",");
                    int price = ledger.bill(car, Integer.parseInt(info[2]), clock, rateOf(info[1]));
                    spaces[s] = half[0] + ":";
                    System.out.println(car + ": " + euros(price) + " please");
                    done = true;
                } else if (what.equals("in") && half[1].isEmpty() && mayUse(words[3], half[0])) {
                    spaces[s] += car + "," + words[3] + "," + clock;
                    System.out.println("Space " + half[0]);
                    done = true;
                }
            }
            if (what.equals("in") && !done) ledger.unhappy++;
            if (!done) System.out.println(car == null ? list.toString() : car + ": impossible");
        }
        ledger.show();
    }
}
