import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;

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

    // Everything about a parked vehicle is looked up by its plate.
    static HashMap<String, String> bayOf = new HashMap<>();
    static HashMap<String, Integer> arrival = new HashMap<>();
    static HashMap<String, String> kindOf = new HashMap<>();

    static int[] total = new int[3];
    static HashMap<String, Integer> earned = new HashMap<>();
    static int turnedAway = 0;
    static String recordPlate = "";
    static int recordTime = 0;

    // sizes = the letters of the bay sizes that we may use, best first
    static String lookForBay(String sizes) {
        int at = 0;
        while (at < sizes.length()) {
            char size = sizes.charAt(at);
            int max = total["SML".indexOf(size)];
            for (int nr = 1; nr <= max; nr++) {
                String bay = "" + size + nr;
                if (!bayOf.containsValue(bay)) {
                    return bay;
                }
            }
            at++;
        }
        return "";
    }

    static void vehicleIn(String time, String plate, String kind) {
        String sizes = "L";
        if (kind.equals("car")) sizes = "ML";
        if (kind.equals("moto")) sizes = "SML";
        String bay = lookForBay(sizes);
        if (bay.isEmpty()) {
            turnedAway++;
            System.out.printf("no bay for %s (%s)%n", plate, kind);
        } else {
            bayOf.put(plate, bay);
            arrival.put(plate, minutes(time));
            kindOf.put(plate, kind);
            System.out.printf("%s: bay %s%n", plate, bay);
        }
    }

    static int price(String kind, int min) {
        int sum = 0;
        if (min > 20) {
            int halfHours = min / 30;
            if (min % 30 != 0) halfHours++;
            if (kind.equals("moto")) sum = halfHours * 40;
            else if (kind.equals("car")) sum = halfHours * 80;
            else sum = halfHours * 150;
        }
        if (sum > 1200) sum = 1200;
        return sum;
    }

    static void vehicleOut(String time, String plate) {
        if (!bayOf.containsKey(plate)) {
            System.out.printf("%s? never seen%n", plate);
        } else {
            int now = minutes(time);
            int then = arrival.remove(plate);
            // a stay over midnight has the smaller number at the end
            int stayed = now >= then ? now - then : now + 1440 - then;
            String kind = kindOf.remove(plate);
            int cost = price(kind, stayed);
            earned.put(kind, earned.getOrDefault(kind, 0) + cost);
            if (stayed >= recordTime) {
                recordTime = stayed;
                recordPlate = plate;
            }
            System.out.printf("%s leaves %s after %d minutes: %s EUR%n",
                    plate, bayOf.remove(plate), stayed, euros(cost));
        }
    }

    static void countFree() {
        int[] left = total.clone();
        for (String bay : bayOf.values()) {
            left["SML".indexOf(bay.charAt(0))]--;
        }
        System.out.printf("S=%d M=%d L=%d%n", left[0], left[1], left[2]);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            if (words[0].equals("in")) {
                vehicleIn(words[1], words[2], words[3]);
            } else if (words[0].equals("out")) {
                vehicleOut(words[1], words[2]);
            } else if (words[0].equals("free")) {
                countFree();
            } else if (words[0].equals("where")) {
                System.out.println(bayOf.getOrDefault(words[1], "not parked"));
            } else if (words[0].equals("bays")) {
                for (int i = 0; i < 3; i++) {
                    total[i] = Integer.parseInt(words[i + 1]);
                }
            } else {
                System.out.println("?? " + line);
            }
        }
        for (String kind : earned.keySet()) {
            System.out.printf("earned with %s: %s%n", kind, euros(earned.get(kind)));
        }
        System.out.printf("%d had to go away%n", turnedAway);
        System.out.printf("record: %s with %d min%n", recordPlate, recordTime);
    }
}
