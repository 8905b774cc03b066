import java.util.Iterator;
import java.util.List;

/** A line of input, ready to be carried out. */
interface Command {
    void execute(Office o);

    static Command parse(String[] w) {
        Iterator<String> it = List.of(w).iterator();
        String verb = it.next();
        if (verb.equals("bays")) {
            int[] n = {Integer.parseInt(w[1]), Integer.parseInt(w[2]), Integer.parseInt(w[3])};
            return o -> {
                for (Office.Size s : Office.Size.values())
                    for (int i = 1; i <= n[s.ordinal()]; i++)
                        o.heaps.get(s).offer(i);
            };
        }
        return switch (verb) {
            case "in" -> new Enter(it);
            case "out" -> new Leave(it);
            case "where" -> o -> System.out.println(o.inside.get(it.next()));
            case "free" -> o -> o.heaps.forEach((s, q) -> System.out.println(s + "\t" + q.size()));
            default -> throw new IllegalArgumentException(verb);
        };
    }

    class Enter implements Command {
        private final long when;
        private final String who;
        private final String what;

        Enter(Iterator<String> it) {
            when = ParkingMain.minutes(it.next());
            who = it.next();
            what = it.next();
        }

        @Override
        public void execute(Office o) {
            int index = List.of("moto", "car", "van").indexOf(what);
            int tariff = List.of(40, 80, 150).get(index);
            for (Office.Size s = Office.Size.values()[index]; s != null; s = s.up()) {
                Integer number = o.heaps.get(s).poll();
                if (number != null) {
                    Office.Parked p = new Office.Parked(s, number, tariff, when);
                    o.inside.put(who, p);
                    System.out.println("please drive to " + p);
                    return;
                }
            }
            o.declined += 1;
            System.out.println("we are full");
        }
    }

    class Leave implements Command {
        private final long when;
        private final String who;

        Leave(Iterator<String> it) {
            this.when = ParkingMain.minutes(it.next());
            this.who = it.next();
        }

        @Override
        public void execute(Office o) {
            Office.Parked p = o.inside.remove(who);
            if (p == null) throw new IllegalArgumentException("nobody called " + who);
            o.heaps.get(p.size).offer(p.number);
            long m = when >= p.entry ? when - p.entry : 1440 - (p.entry - when);
            long halves = m <= 20 ? 0 : m / 30 + Long.signum(m % 30);
            int sum = (int) Math.min(halves * p.tariffCents, 1200L);
            o.till.computeIfPresent(p.tariffCents, (t, old) -> old + sum);
            if (o.maxWho == null || m > o.maxMinutes) {
                o.maxMinutes = m;
                o.maxWho = who;
            }
            System.out.println(who + " owes " + ParkingMain.euros(sum));
        }
    }

    class Report implements Command {
        @Override
        public void execute(Office o) {
            o.till.forEach((t, c) -> System.out.println("tariff " + t + " gave " + ParkingMain.euros(c)));
            System.out.println(o.declined + " declined");
            if (o.maxWho != null) System.out.println(o.maxWho + " stayed " + o.maxMinutes / 60 + "h" + o.maxMinutes % 60);
        }
    }
}
