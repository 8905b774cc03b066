import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.PriorityQueue;

/** La oficina: holds the data — the commands do the work on it. */
class Office {
    enum Size {
        SMALL, MEDIUM, LARGE;

        /** the next larger size, null after the largest */
        Size up() {
            return this == LARGE ? null : values()[ordinal() + 1];
        }
    }

    static final class Parked {
        final Size size;
        final Integer number;
        final int tariffCents;
        final long entry;

        Parked(Size size, Integer number, int tariffCents, long entry) {
            this.size = size;
            this.number = number;
            this.tariffCents = tariffCents;
            this.entry = entry;
        }

        @Override
        public String toString() {
            return size.name().toLowerCase() + " bay no. " + number;
        }
    }

    final EnumMap<Size, PriorityQueue<Integer>> heaps = new EnumMap<>(Size.class);
    final LinkedHashMap<String, Parked> inside = new LinkedHashMap<>();
    // income by tariff: 0,40 € for motos, 0,80 € for cars, 1,50 € for vans (½ h each)
    final LinkedHashMap<Integer, Integer> till = new LinkedHashMap<>();
    int declined;
    long maxMinutes;
    String maxWho;

    Office() {
        for (Size s : Size.values()) heaps.put(s, new PriorityQueue<>());
        for (int tariff : new int[] {40, 80, 150}) till.put(tariff, 0);
    }
}
