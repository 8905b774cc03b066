import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The parking lot. Stays are never thrown away: a stay that has ended
 * is replaced by a copy with its end filled in, so that all statistics
 * can be computed from the list afterwards.
 */
public class Lot {

    record Bay(String size, int no) {
        String label() {
            return size + no;
        }
    }

    record Stay(Bay bay, String plate, String kind, int from, int until) {
        boolean open() {
            return until < 0;
        }

        int length() {
            return Math.floorMod(until - from, 1440);
        }

        int fee() {
            int rate = kind.equals("van") ? 150 : kind.equals("car") ? 80 : 40;
            return length() <= 20 ? 0 : Math.min(1200, rate * (int) Math.ceil(length() / 30.0));
        }

        Stay closedAt(int time) {
            return new Stay(bay, plate, kind, from, time);
        }
    }

    private List<Bay> bays = List.of();
    private final List<Stay> stays = new ArrayList<>();
    private int refused;

    private static Stream<Bay> row(String size, String count) {
        return IntStream.rangeClosed(1, Integer.parseInt(count)).mapToObj(n -> new Bay(size, n));
    }

    String build(String[] args) {
        bays = Stream.of(row("S", args[1]), row("M", args[2]), row("L", args[3]))
                .flatMap(r -> r)
                .collect(Collectors.toList());
        return bays.size() + " bays in total";
    }

    private Stream<Bay> vacant() {
        return bays.stream().filter(b -> stays.stream().noneMatch(s -> s.open() && s.bay().equals(b)));
    }

    Optional<Stay> current(String plate) {
        return stays.stream().filter(Stay::open).filter(s -> s.plate().equals(plate)).findAny();
    }

    String enter(String plate, String kind, int time) {
        String allowed = kind.equals("van") ? "L" : kind.equals("car") ? "ML" : "SML";
        Optional<Bay> bay = vacant().filter(b -> allowed.contains(b.size())).findFirst();
        if (bay.isEmpty()) {
            refused++;
            return "sorry, full for a " + kind;
        }
        stays.add(new Stay(bay.get(), plate, kind, time, -1));
        return plate + " @ " + bay.get().label();
    }

    String exit(String plate, int time) {
        Optional<Stay> found = current(plate);
        found.ifPresent(s -> stays.set(stays.indexOf(s), s.closedAt(time)));
        return found.map(s -> s.closedAt(time))
                .map(s -> "pay " + ParkingMain.euros(s.fee()) + " for " + s.length() + "'")
                .orElse("no open ticket for " + plate);
    }

    String vacancies() {
        return vacant().collect(Collectors.groupingBy(Bay::size, Collectors.counting())).toString();
    }

    int income(String kind) {
        return stays.stream()
                .filter(s -> !s.open() && s.kind().equals(kind))
                .mapToInt(Stay::fee)
                .sum();
    }

    int refused() {
        return refused;
    }

    String longest() {
        return stays.stream()
                .filter(s -> !s.open())
                .max(Comparator.comparingInt(Stay::length))
                .map(s -> s.plate() + " " + s.length() + "'")
                .orElse("-");
    }
}
