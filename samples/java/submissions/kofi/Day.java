import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The state of the garage after some events were played. */
public class Day {
    // S01 sorts before S02, but S after L and M, therefore 1S, 2M, 3L
    final TreeSet<String> open = new TreeSet<>();
    final Map<String, String> spots = new HashMap<>();
    String message = "";

    private final Map<String, String[]> entered = new HashMap<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final Map<Integer, String> byLength = new HashMap<>();
    private final Map<String, Integer> income = new HashMap<>();
    private final List<String> refused = new ArrayList<>();

    void play(String[] event) {
        message = "";
        if (event[0].equals("bays"))
            lay(event);
        else if (event[0].equals("in"))
            enter(event);
        else
            leave(event);
    }

    private void lay(String[] event) {
        String[] prefix = {"", "1S", "2M", "3L"};
        for (int p = 1; p < prefix.length; p++)
            for (int k = Integer.parseInt(event[p]); k > 0; k--)
                open.add(String.format("%s%02d", prefix[p], k));
    }

    private void enter(String[] event) {
        String from = switch (event[3]) {
            case "van" -> "3";
            case "car" -> "2";
            default -> "1";
        };
        String spot = open.ceiling(from);
        if (spot == null) {
            refused.add(event[2]);
            message = "refused: " + refused;
        } else {
            open.remove(spot);
            spots.put(event[2], spot);
            entered.put(event[2], event);
            message = "welcome in " + spot;
        }
    }

    private void leave(String[] event) {
        String[] then = entered.remove(event[2]);
        if (then == null) {
            message = "cannot leave without coming";
            return;
        }
        open.add(spots.remove(event[2]));
        int length = ParkingMain.minutes(event[1]) - ParkingMain.minutes(then[1]);
        length = length < 0 ? length + 1440 : length;
        lengths.add(length);
        byLength.putIfAbsent(length, event[2]);
        int cost = cost(then[3], length);
        income.merge(then[3], cost, Integer::sum);
        message = "goodbye, " + ParkingMain.euros(cost);
    }

    static int cost(String kind, int length) {
        Map<String, Integer> rates = Map.of("moto", 40, "car", 80, "van", 150);
        int cost = 0, rest = length > 20 ? length : 0;
        while (rest > 0 && cost < 1200) {
            cost += rates.get(kind);
            rest -= 30;
        }
        return Math.min(1200, cost);
    }

    void summary() {
        income.forEach((kind, cents) -> System.out.println("total " + kind + " = " + ParkingMain.euros(cents)));
        System.out.println("refused = " + refused.size());
        if (!lengths.isEmpty()) {
            Integer top = Collections.max(lengths);
            System.out.println("longest = " + byLength.get(top) + " / " + top);
        }
    }
}
