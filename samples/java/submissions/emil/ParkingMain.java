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

	static final int LIMIT = 1000;
	static int n = 0;                        // vehicles inside
	static String[] ids = new String[LIMIT];
	static char[] kinds = new char[LIMIT];
	static int[] starts = new int[LIMIT];
	static char[] rows = new char[LIMIT];
	static int[] places = new int[LIMIT];

	static int numS, numM, numL;
	static int motoSum, carSum, vanSum;
	static int refused = 0;
	static int record = 0;
	static String holder = "-";

	static int find(String id) {
		int k = 0;
		while (k < n) {
			if (ids[k].equals(id)) {
				return k;
			}
			k++;
		}
		return -1;
	}

	// smallest place in this row that nobody uses, 0 = none
	static int nextPlace(char row, int size) {
		boolean[] busy = new boolean[size + 1];
		int k = 0;
		while (k < n) {
			if (rows[k] == row) {
				busy[places[k]] = true;
			}
			k++;
		}
		for (int p = 1; p <= size; p++) {
			if (!busy[p]) {
				return p;
			}
		}
		return 0;
	}

	static void enter(int minute, String id, char kind) {
		char row = 'S';
		int place = kind == 'm' ? nextPlace('S', numS) : 0;
		if (place == 0 && kind != 'v') {
			row = 'M';
			place = nextPlace('M', numM);
		}
		if (place == 0) {
			row = 'L';
			place = nextPlace('L', numL);
		}
		if (place == 0) {
			refused++;
			System.out.println("no place: " + id);
			return;
		}
		ids[n] = id;
		kinds[n] = kind;
		starts[n] = minute;
		rows[n] = row;
		places[n] = place;
		n++;
		System.out.println("parked: " + id + " " + row + place);
	}

	static void leave(int minute, String id) {
		int k = find(id);
		if (k == -1) {
			System.out.println("who? " + id);
			return;
		}
		int length = minute - starts[k];
		if (length < 0) {
			length += 24 * 60;
		}
		if (length > record) {
			record = length;
			holder = id;
		}
		int halves = length > 20 ? (length - 1) / 30 + 1 : 0;
		int price;
		switch (kinds[k]) {
			case 'm':
				price = Math.min(halves * 40, 1200);
				motoSum += price;
				break;
			case 'c':
				price = Math.min(halves * 80, 1200);
				carSum += price;
				break;
			default:
				price = Math.min(halves * 150, 1200);
				vanSum += price;
		}
		System.out.println("left: " + id + " " + euros(price));
		n--;
		ids[k] = ids[n];
		kinds[k] = kinds[n];
		starts[k] = starts[n];
		rows[k] = rows[n];
		places[k] = places[n];
	}

	static int inRow(char row) {
		int sum = 0;
		int k = 0;
		while (k < n) {
			sum += rows[k] == row ? 1 : 0;
			k++;
		}
		return sum;
	}

	public static void main(String[] args) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		String line;
		while ((line = in.readLine()) != null) {
			String[] words = line.trim().split("\\s+");
			if (words[0].isEmpty() || words[0].startsWith("#")) {
				continue;
			}
			switch (words[0].charAt(0)) {
				case 'b':
					numS = Integer.parseInt(words[1]);
					numM = Integer.parseInt(words[2]);
					numL = Integer.parseInt(words[3]);
					break;
				case 'i':
					enter(minutes(words[1]), words[2], words[3].charAt(0));
					break;
				case 'o':
					leave(minutes(words[1]), words[2]);
					break;
				case 'w':
					int k = find(words[1]);
					if (k == -1) {
						System.out.println("absent");
					} else {
						System.out.println("present: " + rows[k] + places[k]);
					}
					break;
				case 'f':
					System.out.println("small: " + (numS - inRow('S')));
					System.out.println("medium: " + (numM - inRow('M')));
					System.out.println("large: " + (numL - inRow('L')));
					break;
			}
		}
		System.out.println("Sum motos " + euros(motoSum) + " cars " + euros(carSum) + " vans " + euros(vanSum));
		System.out.println("Refused: " + refused);
		System.out.println("Record: " + holder + " " + record);
	}
}
