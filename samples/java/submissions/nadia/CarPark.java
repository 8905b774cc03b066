/**
 * Knows every slot of the car park and does the bookkeeping.
 * @version 1.2
 */
class CarPark {
    private final Slot[] slots;
    private int bikeIncome, carIncome, vanIncome;
    private int noLuck;
    private int maxDuration = -1;
    private String maxLicence;

    CarPark(int nSmall, int nMedium, int nLarge) {
        slots = new Slot[nSmall + nMedium + nLarge];
        for (int k = 0; k < slots.length; k++) {
            if (k < nSmall) {
                slots[k] = new Slot('S', k + 1);
            } else if (k < nSmall + nMedium) {
                slots[k] = new Slot('M', k - nSmall + 1);
            } else {
                slots[k] = new Slot('L', k - nSmall - nMedium + 1);
            }
        }
    }

    // linear search, null if there is no such licence
    private Slot lookUp(String licence) {
        for (Slot slot : slots) {
            if (slot.licence.equals(licence)) return slot;
        }
        return null;
    }

    void driveIn(int clock, String licence, String category) {
        for (Slot slot : slots) {
            if (slot.available() && slot.suits(category)) {
                slot.take(licence, category, clock);
                System.out.println(licence + " goes to slot " + slot.title());
                return;
            }
        }
        noLuck++;
        System.out.println(licence + " has to look elsewhere");
    }

    void driveOut(int clock, String licence) {
        Slot slot = lookUp(licence);
        if (slot == null) {
            System.out.println(licence + " is not here");
            return;
        }
        // every started half hour has to be paid
        int duration = slot.giveBack(clock);
        int toPay = duration <= 20 ? 0 : (duration + 29) / 30;
        if (slot.category.equals("moto")) {
            toPay = Math.min(toPay * 40, 1200);
            bikeIncome += toPay;
        } else if (slot.category.equals("car")) {
            toPay = Math.min(toPay * 80, 1200);
            carIncome += toPay;
        } else {
            toPay = Math.min(toPay * 150, 1200);
            vanIncome += toPay;
        }
        if (duration > maxDuration) {
            maxDuration = duration;
            maxLicence = licence;
        }
        System.out.println(licence + ": to pay " + ParkingMain.euros(toPay) + " for " + duration + " min");
    }

    void tellPlace(String licence) {
        Slot slot = lookUp(licence);
        System.out.println(slot == null ? licence + " is not here" : licence + " is in " + slot.title());
    }

    void printAvailable() {
        String list = "";
        for (Slot slot : slots) {
            list += slot.available() ? " " + slot.title() : "";
        }
        System.out.println("free:" + list);
    }

    void endOfDay() {
        System.out.println("Motorbikes " + ParkingMain.euros(bikeIncome));
        System.out.println("Cars       " + ParkingMain.euros(carIncome));
        System.out.println("Vans       " + ParkingMain.euros(vanIncome));
        System.out.println("turned away: " + noLuck);
        System.out.println("longest stay: " + maxLicence + ", " + maxDuration + " min");
    }
}
