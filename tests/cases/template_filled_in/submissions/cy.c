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
    for (int n = 2; n * n < limit; n++) {
        if (flags[n])
            continue;
        for (int m = n * n; m < limit; m += n)
            flags[m] = 1;
    }
}

int second(void) {
    int count = 0, in = 0;
    while (*text) {
        if (isspace(*text)) in = 0;
        else if (!in) { in = 1; ++count; }
        ++text;
    }
    return count;
}
