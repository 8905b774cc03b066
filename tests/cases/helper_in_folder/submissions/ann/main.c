void primes(char *sieve, int limit) {
    for (int number = 2; number * number < limit; number++) {
        if (sieve[number])
            continue;
        for (int multiple = number * number; multiple < limit; multiple += number)
            sieve[multiple] = 1;
    }
}
