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

	// A vehicle in the garage has the same index in all these arrays.
	static final int MAX = 500;
	static String[] plates = new String[MAX];
	static char[] types = new char[MAX];
	static int[] times = new int[MAX];
	static char[] baySizes = new char[MAX];
	static int[] bayNumbers = new int[MAX];
	static int count = 0;

	static int smallBays, mediumBays, largeBays;
	static int sumM, sumC, sumV;
	static int away = 0;
	static int maxStay = 0;
	static String maxPlate = "nobody";

	static int indexOfPlate(String p) {
		for (int i = 0; i < count; i++) {
			if (plates[i].equals(p)) {
				return i;
			}
		}
		return -1;
	}

	// number of the first free bay of this size or 0
	static int freeNumber(char size, int howMany) {
		boolean[] used = new boolean[howMany + 1];
		for (int i = 0; i < count; i++) {
			if (baySizes[i] == size) {
				used[bayNumbers[i]] = true;
			}
		}
		for (int n = 1; n <= howMany; n++) {
			if (used[n] == false) {
				return n;
			}
		}
		return 0;
	}

	static void come(int time, String plate, char type) {
		char size = 'S';
		int number = 0;
		if (type == 'm') {
			number = freeNumber('S', smallBays);
		}
		if (number == 0 && type != 'v') {
			size = 'M';
			number = freeNumber('M', mediumBays);
		}
		if (number == 0) {
			size = 'L';
			number = freeNumber('L', largeBays);
		}
		if (number == 0) {
			away = away + 1;
			System.out.println("FULL " + plate);
			return;
		}
		plates[count] = plate;
		types[count] = type;
		times[count] = time;
		baySizes[count] = size;
		bayNumbers[count] = number;
		count = count + 1;
		System.out.println("IN " + plate + " " + size + number);
	}

	static void go(int time, String plate) {
		int i = indexOfPlate(plate);
		if (i == -1) {
			System.out.println("UNKNOWN " + plate);
			return;
		}
		int stay = time - times[i];
		if (stay < 0) {
			stay = stay + 24 * 60;
		}
		if (stay > maxStay) {
			maxStay = stay;
			maxPlate = plate;
		}
		int parts = 0;
		if (stay > 20) {
			parts = (stay - 1) / 30 + 1;
		}
		int money;
		if (types[i] == 'm') {
			money = Math.min(parts * 40, 1200);
			sumM = sumM + money;
		} else if (types[i] == 'c') {
			money = Math.min(parts * 80, 1200);
			sumC = sumC + money;
		} else {
			money = Math.min(parts * 150, 1200);
			sumV = sumV + money;
		}
		System.out.println("OUT " + plate + " " + euros(money));
		// fill the gap with the last one
		count = count - 1;
		plates[i] = plates[count];
		types[i] = types[count];
		times[i] = times[count];
		baySizes[i] = baySizes[count];
		bayNumbers[i] = bayNumbers[count];
	}

	static int occupied(char size) {
		int c = 0;
		for (int i = 0; i < count; i++) {
			if (baySizes[i] == size) {
				c = c + 1;
			}
		}
		return c;
	}

	public static void main(String[] args) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		String line;
		while ((line = in.readLine()) != null) {
			String[] words = line.trim().split("\\s+");
			if (words[0].isEmpty() || words[0].startsWith("#")) {
				continue;
			}
			char first = words[0].charAt(0);
			if (first == 'b') {
				smallBays = Integer.parseInt(words[1]);
				mediumBays = Integer.parseInt(words[2]);
				largeBays = Integer.parseInt(words[3]);
			} else if (first == 'i') {
				come(minutes(words[1]), words[2], words[3].charAt(0));
			} else if (first == 'o') {
				go(minutes(words[1]), words[2]);
			} else if (first == 'w') {
				int i = indexOfPlate(words[1]);
				if (i == -1) {
					System.out.println("NOT HERE");
				} else {
					System.out.println("HERE " + baySizes[i] + bayNumbers[i]);
				}
			} else if (first == 'f') {
				System.out.println("S " + (smallBays - occupied('S')));
				System.out.println("M " + (mediumBays - occupied('M')));
				System.out.println("L " + (largeBays - occupied('L')));
			}
		}
		System.out.println("MONEY m " + euros(sumM) + " c " + euros(sumC) + " v " + euros(sumV));
		System.out.println("AWAY " + away);
		System.out.println("LONGEST " + maxPlate + " " + maxStay);
	}
}
