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
