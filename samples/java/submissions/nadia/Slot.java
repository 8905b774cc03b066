// A slot where a moto, a car or a van can be left.
// licence is "" when nobody is there.
class Slot {
    final char letter;
    private final int index;
    String licence = "";
    String category;
    private int begin;

    Slot(char letter, int index) {
        this.letter = letter;
        this.index = index;
    }

    boolean suits(String cat) {
        if (cat.equals("van")) {
            return letter == 'L';
        }
        return cat.equals("moto") || letter != 'S';
    }

    boolean available() { return licence.isEmpty(); }

    void take(String lic, String cat, int clock) {
        licence = lic;
        category = cat;
        begin = clock;
    }

    // the result is the duration in minutes
    int giveBack(int clock) {
        licence = "";
        if (clock < begin) {
            clock += 24 * 60; // next day
        }
        return clock - begin;
    }

    String title() { return letter + "" + index; }
}
