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
    /* your code here */
}

int second(void) {
    /* your code here */
}
int words(const char *text) {
    int count = 0, inside = 0;
    while (*text) {
        if (isspace(*text)) inside = 0;
        else if (!inside) { inside = 1; ++count; }
        ++text;
    }
    return count;
}
