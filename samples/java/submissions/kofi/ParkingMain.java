import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
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

    /*
     * Idea: I only keep the history of what happened. Whenever somebody
     * wants to know something, the whole day is played again from the start.
     */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        List<String[]> history = new ArrayList<>();
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.trim().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            if (words[0].matches("bays|in|out")) {
                history.add(words);
            }
            Day day = new Day();
            history.forEach(day::play);
            if (words[0].equals("where")) {
                String spot = day.spots.get(words[1]);
                day.message = spot == null ? "no trace of " + words[1] : spot;
            }
            if (words[0].equals("free")) {
                day.message = "free bays: " + String.join(" ", day.open);
            }
            if (day.message.length() > 0)
                System.out.println(day.message);
        }
        Day whole = new Day();
        history.forEach(whole::play);
        whole.summary();
    }
}
