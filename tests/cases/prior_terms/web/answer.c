void primes(char *flags, int limit) {
    for (int n = 2; n * n < limit; n++) {
        if (flags[n])
            continue;
        for (int m = n * n; m < limit; m += n)
            flags[m] = 1;
    }
}
