static char *read_all(FILE *file) {
    size_t size = 0, room = 64;
    char *text = malloc(room);
    int next;
    while ((next = fgetc(file)) != EOF) {
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        text[size++] = next;
    }
    text[size] = '\0';
    return text;
}

int first(void) {
    for (int number = 2; number * number < limit; number++) {
        if (sieve[number])
            continue;
        for (int multiple = number * number; multiple < limit; multiple += number)
            sieve[multiple] = 1;
    }
}

int second(void) {
    int count = 0, inside = 0;
    while (*text) {
        if (isspace(*text)) inside = 0;
        else if (!inside) { inside = 1; ++count; }
        ++text;
    }
    return count;
}
