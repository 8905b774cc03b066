import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

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

	/* A chain of bays. Smaller bays come before larger ones. */
	static class Node {
		char size;
		int nr;
		Node next;
		String plate = "";
		int wheels;     // 2 = moto, 4 = car, 6 = van, 0 = empty
		int start;
	}

	static Node first;
	static int[] cash = new int[7];   // indexed by wheels
	static int lost;
	static Node best = new Node();    // keeps the longest stay (in start)

	/* puts bays number nr..max in front of the chain rest */
	static Node chain(char size, int nr, int max, Node rest) {
		if (nr > max) return rest;
		Node n = new Node();
		n.size = size;
		n.nr = nr;
		n.next = chain(size, nr + 1, max, rest);
		return n;
	}

	static boolean wideEnough(Node n, int wheels) {
		return wheels == 2 || n.size == 'L' || (wheels == 4 && n.size == 'M');
	}

	static Node firstEmpty(Node n, int wheels) {
		if (n == null || (n.wheels == 0 && wideEnough(n, wheels))) return n;
		return firstEmpty(n.next, wheels);
	}

	static Node withPlate(Node n, String plate) {
		if (n == null) return null;
		return n.plate.equals(plate) ? n : withPlate(n.next, plate);
	}

	static int empties(Node n, char size) {
		if (n == null) return 0;
		int here = n.size == size && n.wheels == 0 ? 1 : 0;
		return here + empties(n.next, size);
	}

	/* price of what is left of the stay, half hour by half hour */
	static int pay(int left, int rate) {
		if (left <= 0) return 0;
		return rate + pay(left - 30, rate);
	}

	static String comeIn(int now, String plate, String kind) {
		int wheels = 6;
		if (kind.equals("moto")) wheels = 2;
		if (kind.equals("car")) wheels = 4;
		Node n = firstEmpty(first, wheels);
		if (n == null) {
			lost++;
			return "full!";
		}
		n.wheels = wheels;
		n.plate = plate;
		n.start = now;
		return "take bay " + n.size + n.nr;
	}

	static String goOut(int now, String plate) {
		Node n = withPlate(first, plate);
		if (n == null) return "who is " + plate + "?";
		int time = now - n.start;
		if (time < 0) time += 1440;
		int rate = n.wheels == 2 ? 40 : n.wheels == 4 ? 80 : 150;
		int due = time > 20 ? Math.min(1200, pay(time, rate)) : 0;
		cash[n.wheels] += due;
		if (time > best.start) {
			best.start = time;
			best.plate = plate;
		}
		n.wheels = 0;
		n.plate = "";
		return "bye " + plate + ", that makes " + euros(due);
	}

	static String obey(String[] w) {
		if ("in".equals(w[0])) return comeIn(minutes(w[1]), w[2], w[3]);
		if ("out".equals(w[0])) return goOut(minutes(w[1]), w[2]);
		if ("where".equals(w[0])) {
			Node n = withPlate(first, w[1]);
			return n == null ? "not in the garage" : "bay " + n.size + n.nr;
		}
		if ("free".equals(w[0])) {
			return empties(first, 'S') + "/" + empties(first, 'M') + "/" + empties(first, 'L');
		}
		if (!"bays".equals(w[0])) return "what?";
		first = chain('L', 1, Integer.parseInt(w[3]), null);
		first = chain('M', 1, Integer.parseInt(w[2]), first);
		first = chain('S', 1, Integer.parseInt(w[1]), first);
		return "ok";
	}

	public static void main(String[] args) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		String line;
		while ((line = in.readLine()) != null) {
			String[] words = line.trim().split("\\s+");
			if (words[0].isEmpty() || words[0].startsWith("#")) {
				continue;
			}
			System.out.println(obey(words));
		}
		System.out.println("cash: " + euros(cash[2]) + " motos, " + euros(cash[4])
				+ " cars, " + euros(cash[6]) + " vans; lost customers: " + lost);
		if (best.start > 0)
			System.out.println("stayed longest: " + best.plate + " (" + best.start + " minutes)");
	}
}
