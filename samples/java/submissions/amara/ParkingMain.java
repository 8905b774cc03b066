import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;

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

	static int[] capacity = new int[3];
	static int noSpace = 0;
	static HashMap<String, Integer> money = new HashMap<>();
	static int topMinutes = 0;
	static String topCar = "";

	/* plate -> place, plate -> type, plate -> minute of the day */
	static HashMap<String, String> placeOf = new HashMap<>();
	static HashMap<String, String> typeOf = new HashMap<>();
	static HashMap<String, Integer> startOf = new HashMap<>();

	/* prints how many places of each size are empty */
	static void showEmpty() {
		int[] empty = capacity.clone();
		for (String place : placeOf.values()) {
			empty["SML".indexOf(place.charAt(0))]--;
		}
		System.out.printf("S: %d  M: %d  L: %d%n", empty[0], empty[1], empty[2]);
	}

	static void checkOut(String clock, String car) {
		if (!placeOf.containsKey(car)) {
			System.out.printf("There is no %s here%n", car);
		} else {
			int end = minutes(clock);
			int begin = startOf.remove(car);
			int duration = end >= begin ? end - begin : end + 1440 - begin;
			String type = typeOf.remove(car);
			int fee = feeFor(type, duration);
			money.put(type, money.getOrDefault(type, 0) + fee);
			if (duration >= topMinutes) {
				topMinutes = duration;
				topCar = car;
			}
			System.out.printf("%s (%s), %d min, fee %s%n",
					car, placeOf.remove(car), duration, euros(fee));
		}
	}

	public static void main(String[] args) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		String line;
		while ((line = in.readLine()) != null) {
			String[] words = line.trim().split("\\s+");
			if (words[0].isEmpty() || words[0].startsWith("#")) {
				continue;
			}
			if (words[0].equals("bays")) {
				for (int k = 0; k < 3; k++) {
					capacity[k] = Integer.parseInt(words[k + 1]);
				}
			} else if (words[0].equals("where")) {
				System.out.println(placeOf.getOrDefault(words[1], "unknown"));
			} else if (words[0].equals("in")) {
				checkIn(words[1], words[2], words[3]);
			} else if (words[0].equals("out")) {
				checkOut(words[1], words[2]);
			} else if (words[0].equals("free")) {
				showEmpty();
			} else {
				System.out.println("wrong command: " + line);
			}
		}
		System.out.printf("longest: %s, %d minutes%n", topCar, topMinutes);
		System.out.printf("without a place: %d%n", noSpace);
		for (String type : money.keySet()) {
			System.out.printf("%s: %s%n", type, euros(money.get(type)));
		}
	}

	/* the fee in cents, never more than 12 euros */
	static int feeFor(String type, int duration) {
		int fee = 0;
		if (duration > 20) {
			int units = duration / 30;
			if (duration % 30 != 0) units++;
			if (type.equals("moto")) fee = units * 40;
			else if (type.equals("car")) fee = units * 80;
			else fee = units * 150;
		}
		if (fee > 1200) fee = 1200;
		return fee;
	}

	static void checkIn(String clock, String car, String type) {
		String letters = "L";
		if (type.equals("car")) letters = "ML";
		if (type.equals("moto")) letters = "SML";
		String place = emptyPlace(letters);
		if (place.isEmpty()) {
			noSpace++;
			System.out.printf("%s: no place for a %s%n", car, type);
		} else {
			placeOf.put(car, place);
			startOf.put(car, minutes(clock));
			typeOf.put(car, type);
			System.out.printf("%s goes to %s%n", car, place);
		}
	}

	/* tries the sizes from left to right; "" if everything is full */
	static String emptyPlace(String letters) {
		int pos = 0;
		while (pos < letters.length()) {
			char letter = letters.charAt(pos);
			int last = capacity["SML".indexOf(letter)];
			for (int i = 1; i <= last; i++) {
				String place = "" + letter + i;
				if (!placeOf.containsValue(place)) {
					return place;
				}
			}
			pos++;
		}
		return "";
	}
}
