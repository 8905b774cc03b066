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
