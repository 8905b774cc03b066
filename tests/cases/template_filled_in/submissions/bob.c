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
    return 1;
}

int second(void) {
    return 2;
}
/* First come, first served. */
struct queue { int items[LIMIT]; int first, count; };

int put(struct queue *queue, int item) {
    if (queue->count >= LIMIT) {
        fprintf(stderr, "full\n");
        return -1;
    }
    queue->items[(queue->first + queue->count++) % LIMIT] = item;
    return queue->count;
}

int take(struct queue *queue) {
    int item = queue->items[queue->first];
    queue->first = (queue->first + 1) % LIMIT;
    queue->count--;
    return item;
}
