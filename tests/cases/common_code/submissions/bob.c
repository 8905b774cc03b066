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
// my own work
struct line {
  int people[N]; int head, size;
};
int join(struct line *me, int person)
{
  if (me->size >= N)
  {
    fprintf(stderr, "no room");   // too long
    return -2;
  }
  me->people[(me->head + me->size++) % N] = person;
  return me->size;
}
int serve(struct line *me)
{
  int next = me->people[me->head];
  me->head = (me->head + 1) % N;
  me->size--;
  return next;
}
