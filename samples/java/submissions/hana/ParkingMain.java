import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/* Sheet 6 - Parking garage - Hana */
public class ParkingMain
{
  /** Turns "HH:MM" into minutes after midnight, or -1 if it is no time. */
  static int minutes(String text)
  {
    int colon = text.indexOf(':');
    if (colon < 1)
    {
      return -1;
    }
    int h = Integer.parseInt(text.substring(0, colon));
    int m = Integer.parseInt(text.substring(colon + 1));
    return h > 23 || m > 59 ? -1 : h * 60 + m;
  }

  /** Formats cents as euros, e.g. 1250 as 12.50. */
  static String euros(int cents)
  {
    return String.format("%d.%02d", cents / 100, cents % 100);
  }

  // -------------------------------------------------------------
  // A parking place. It knows its neighbour, so that all places
  // form one long row.
  // -------------------------------------------------------------
  static class Node
  {
    char size;
    int nr;
    Node next;
    String plate = "";
    int wheels;
    int start;
  }

  static Node first;
  static int[] cash = new int[11];
  static int lost;
  static Node best = new Node();

  // makes the places of one size
  static Node chain(char size, int nr, int max, Node rest)
  {
    if (nr > max)
      return rest;

    Node n = new Node();
    n.size = size;
    n.nr   = nr;
    n.next = chain(size, nr + 1, max, rest);

    return n;
  }

  // is there enough room for so many wheels?
  static boolean wideEnough(Node n, int wheels)
  {
    return wheels == 3
        || n.size == 'c'
        || (wheels == 5 && n.size == 'b');
  }

  static Node firstEmpty(Node n, int wheels)
  {
    if (n == null || (n.wheels == 0 && wideEnough(n, wheels)))
      return n;

    return firstEmpty(n.next, wheels);
  }

  static Node withPlate(Node n, String plate)
  {
    if (n == null)
      return null;

    return n.plate.equals(plate)
         ? n
         : withPlate(n.next, plate);
  }

  // counts recursively
  static int empties(Node n, char size)
  {
    if (n == null)
      return 0;

    int here = n.size == size && n.wheels == 0 ? 1 : 0;
    return here + empties(n.next, size);
  }

  // the recursion ends when nothing is left to pay
  static int pay(int left, int rate)
  {
    if (left <= 0)
      return 0;

    return rate + pay(left - 30, rate);
  }

  static String comeIn(int now, String plate, String kind)
  {
    int wheels = 10;
    if (kind.equals("moto"))
      wheels = 3;
    if (kind.equals("car"))
      wheels = 5;

    Node n = firstEmpty(first, wheels);
    if (n == null)
    {
      lost++;
      return "Everything is taken.";
    }

    n.wheels = wheels;
    n.plate  = plate;
    n.start  = now;
    return "Your place: " + n.size + n.nr;
  }

  static String goOut(int now, String plate)
  {
    Node n = withPlate(first, plate);
    if (n == null)
      return "Nobody has the plate " + plate + ".";

    int time = now - n.start;
    if (time < 0)
      time += 1440;

    int rate = n.wheels == 3 ? 40 : n.wheels == 5 ? 80 : 150;
    int due  = time > 20 ? Math.min(1200, pay(time, rate)) : 0;

    cash[n.wheels] += due;
    if (time > best.start)
    {
      best.start = time;
      best.plate = plate;
    }

    n.wheels = 0;
    n.plate  = "";
    return "Thank you, " + plate + ". Price: " + euros(due);
  }

  // one command in, one answer out
  static String obey(String[] w)
  {
    if ("in".equals(w[0]))
      return comeIn(minutes(w[1]), w[2], w[3]);
    if ("out".equals(w[0]))
      return goOut(minutes(w[1]), w[2]);
    if ("where".equals(w[0]))
    {
      Node n = withPlate(first, w[1]);
      return n == null ? "Not found." : "Place " + n.size + n.nr;
    }
    if ("free".equals(w[0]))
    {
      return empties(first, 'a') + ", "
           + empties(first, 'b') + ", "
           + empties(first, 'c');
    }
    if (!"bays".equals(w[0]))
      return "Unknown command.";

    first = chain('c', 1, Integer.parseInt(w[3]), null);
    first = chain('b', 1, Integer.parseInt(w[2]), first);
    first = chain('a', 1, Integer.parseInt(w[1]), first);
    return "Done.";
  }

  public static void main(String[] args) throws IOException
  {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    String line;
    while ((line = in.readLine()) != null)
    {
      String[] words = line.trim().split("\\s+");
      if (words[0].isEmpty() || words[0].startsWith("#"))
      {
        continue;
      }
      System.out.println(obey(words));
    }
    System.out.println("Motos: " + euros(cash[3]) + ", cars: "
        + euros(cash[5]) + ", vans: " + euros(cash[10]) + ", sent away: " + lost);
    if (best.start > 0)
      System.out.println("Longest: " + best.plate + ", " + best.start + " min");
  }
}
