/** All bays in one row, the small ones first, and the money earned. */
class Garage {
    private final Bay[] bays;
    private int motoCents, carCents, vanCents;
    private int rejected;
    private int longest = -1;
    private String longestPlate;

    Garage(int small, int medium, int large) {
        bays = new Bay[small + medium + large];
        for (int i = 0; i < bays.length; i++) {
            if (i < small) {
                bays[i] = new Bay('S', i + 1);
            } else if (i < small + medium) {
                bays[i] = new Bay('M', i - small + 1);
            } else {
                bays[i] = new Bay('L', i - small - medium + 1);
            }
        }
    }

    private Bay findPlate(String plate) {
        for (Bay bay : bays) {
            if (bay.plate.equals(plate)) return bay;
        }
        return null;
    }

    void arrive(int time, String plate, String kind) {
        // the bays are sorted by size, so the first hit is the smallest
        for (Bay bay : bays) {
            if (bay.isFree() && bay.fits(kind)) {
                bay.occupy(plate, kind, time);
                System.out.println(plate + " parks in " + bay.name());
                return;
            }
        }
        rejected++;
        System.out.println(plate + " is turned away");
    }

    void depart(int time, String plate) {
        Bay bay = findPlate(plate);
        if (bay == null) {
            System.out.println(plate + " is not here");
            return;
        }
        int stay = bay.release(time);
        int cents = stay <= 20 ? 0 : (stay + 29) / 30;
        if (bay.kind.equals("moto")) {
            cents = Math.min(cents * 40, 1200);
            motoCents += cents;
        } else if (bay.kind.equals("car")) {
            cents = Math.min(cents * 80, 1200);
            carCents += cents;
        } else {
            cents = Math.min(cents * 150, 1200);
            vanCents += cents;
        }
        if (stay > longest) {
            longest = stay;
            longestPlate = plate;
        }
        System.out.println(plate + " pays " + ParkingMain.euros(cents) + " for " + stay + " min");
    }

    void search(String plate) {
        Bay bay = findPlate(plate);
        System.out.println(bay == null ? plate + " is not here" : plate + " is in " + bay.name());
    }

    void showFree() {
        String all = "";
        for (Bay bay : bays) {
            all += bay.isFree() ? " " + bay.name() : "";
        }
        System.out.println("free:" + all);
    }

    void closingReport() {
        System.out.println("moto " + ParkingMain.euros(motoCents));
        System.out.println("car  " + ParkingMain.euros(carCents));
        System.out.println("van  " + ParkingMain.euros(vanCents));
        System.out.println("turned away: " + rejected);
        System.out.println("longest stay: " + longestPlate + ", " + longest + " min");
    }
}
