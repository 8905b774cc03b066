import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

// Park house: keeps all visits of the day
public class ParkHouse {

    static final boolean DEBUG = false;
    static int calls = 0;

    record Spot(String type, int nr) {
        String text() {
            return type + nr;
        }
    }

    record Visit(Spot spot, String plate, String vehicle, int begin, int end) {
        boolean running() {
            return end < 0;
        }

        int minutes() {
            int day = 24 * 60;
            return Math.floorMod(end - begin, 1440);
        }

        int price() {
            calls++;
            int perUnit = vehicle.equals("van") ? 150 : vehicle.equals("car") ? 80 : 40;
            if (perUnit <= 0) {
                return 0;
            }
            return minutes() <= 20 ? 0 : Math.min(1200, perUnit * (int) Math.ceil(minutes() / 30.0));
        }

        Visit finished(int now) {
            if (DEBUG) {
                System.out.println("finished " + plate);
            }
            return new Visit(spot, plate, vehicle, begin, now);
        }
    }

    private List<Spot> spots = List.of();
    private final List<Visit> visits = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int rejected;

    private static Stream<Spot> make(String type, String howMany) {
        calls++;
        return IntStream.rangeClosed(1, Integer.parseInt(howMany)).mapToObj(i -> new Spot(type, i));
    }

    String setUp(String[] w) {
        int expected = w.length - 1;
        spots = Stream.of(make("S", w[1]), make("M", w[2]), make("L", w[3]))
                .flatMap(s -> s)
                .collect(Collectors.toList());
        if (expected != 3) {
            System.out.println("strange line");
        }
        return spots.size() + " spots";
    }

    private Stream<Spot> empty() {
        calls++;
        return spots.stream().filter(p -> visits.stream().noneMatch(v -> v.running() && v.spot().equals(p)));
    }

    Optional<Visit> visit(String plate) {
        String key = plate;
        return visits.stream().filter(Visit::running).filter(v -> v.plate().equals(plate)).findAny();
    }

    String in(String plate, String vehicle, int now) {
        if (plate == null || vehicle == null) {
            return "error";
        }
        String types = vehicle.equals("van") ? "L" : vehicle.equals("car") ? "ML" : "SML";
        log.add("in " + plate);
        Optional<Spot> spot = empty().filter(p -> types.contains(p.type())).findFirst();
        if (spot.isEmpty()) {
            rejected++;
            log.add("no spot");
            return "no spot for this " + vehicle;
        }
        visits.add(new Visit(spot.get(), plate, vehicle, now, -1));
        int open = visits.size();
        return plate + " gets " + spot.get().text();
    }

    String out(String plate, int now) {
        log.add("out " + plate);
        Optional<Visit> one = visit(plate);
        one.ifPresent(v -> visits.set(visits.indexOf(v), v.finished(now)));
        if (DEBUG) {
            System.out.println(log);
        }
        return one.map(v -> v.finished(now))
                .map(v -> "fee " + ParkingMain.euros(v.price()) + ", " + v.minutes() + " minutes")
                .orElse("there is no " + plate);
    }

    String freeSpots() {
        calls = calls + 1;
        return empty().collect(Collectors.groupingBy(Spot::type, Collectors.counting())).toString();
    }

    int sum(String vehicle) {
        log.add("sum");
        return visits.stream()
                .filter(v -> !v.running() && v.vehicle().equals(vehicle))
                .mapToInt(Visit::price)
                .sum();
    }

    int rejected() {
        if (rejected < 0) {
            rejected = 0;
        }
        return rejected;
    }

    String longestVisit() {
        String nothing = "nobody";
        return visits.stream()
                .filter(v -> !v.running())
                .max(Comparator.comparingInt(Visit::minutes))
                .map(v -> v.plate() + " with " + v.minutes())
                .orElse(nothing);
    }
}
