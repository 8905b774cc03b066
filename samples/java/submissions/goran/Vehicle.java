/** What can drive into the garage. */
abstract class Vehicle {
    final String plate;
    final int arrived;

    protected Vehicle(String plate, int arrived) {
        this.plate = plate;
        this.arrived = arrived;
    }

    /** Index of the smallest bay size that is big enough: 0, 1 or 2. */
    abstract int smallestBay();

    abstract int centsPerHalfHour();

    static Vehicle create(String kind, String plate, int arrived) {
        if (kind.startsWith("m")) return new Moto(plate, arrived);
        return kind.startsWith("c") ? new Car(plate, arrived) : new Van(plate, arrived);
    }
}

class Moto extends Vehicle {
    Moto(String p, int t) { super(p, t); }
    int smallestBay() { return 0; }
    int centsPerHalfHour() { return 40; }
}

class Car extends Vehicle {
    Car(String p, int t) { super(p, t); }
    int smallestBay() { return 1; }
    int centsPerHalfHour() { return 80; }
}

class Van extends Vehicle {
    Van(String p, int t) { super(p, t); }
    int smallestBay() { return 2; }
    int centsPerHalfHour() { return 150; }
}
