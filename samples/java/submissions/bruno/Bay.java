/** One parking bay, which is either empty or holds one vehicle. */
class Bay {
    final char size;
    private final int number;
    String plate = ""; // empty text while the bay is empty
    String kind;
    private int since;

    Bay(char size, int number) {
        this.size = size;
        this.number = number;
    }

    boolean fits(String vehicle) {
        if (vehicle.equals("van")) {
            return size == 'L';
        }
        return vehicle.equals("moto") || size != 'S';
    }

    boolean isFree() { return plate.isEmpty(); }

    void occupy(String newPlate, String newKind, int time) {
        plate = newPlate;
        kind = newKind;
        since = time;
    }

    /** Empties the bay and tells how long it was taken. */
    int release(int time) {
        plate = "";
        if (time < since) {
            time += 24 * 60; // went past midnight
        }
        return time - since;
    }

    String name() { return size + "" + number; }
}
