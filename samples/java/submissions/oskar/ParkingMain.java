import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        ParkHouse house = new ParkHouse();
        int lines = 0;
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            lines++;
            String result = switch (words[0]) {
                case "bays" -> house.setUp(words);
                case "in" -> house.in(words[2], words[3], minutes(words[1]));
                case "out" -> house.out(words[2], minutes(words[1]));
                case "where" -> house.visit(words[1]).map(v -> v.spot().text()).orElse("not found");
                case "free" -> house.freeSpots();
                default -> "???";
            };
            if (result == null) {
                result = "";
            }
            System.out.println(result);
        }
        boolean any = lines > 0;
        String sums = Stream.of("moto", "car", "van")
                .map(t -> t + " = " + euros(house.sum(t)))
                .collect(Collectors.joining(" ; "));
        if (any) {
            System.out.println("*** " + lines + " commands ***");
        }
        System.out.println(sums + "\nno place: " + house.rejected() + "\nlongest: " + house.longestVisit());
    }
}
