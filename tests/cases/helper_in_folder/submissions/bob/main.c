int words(const char *text) {
    int count = 0, inside = 0;
    while (*text) {
        if (isspace(*text)) inside = 0;
        else if (!inside) { inside = 1; ++count; }
        ++text;
    }
    return count;
}
