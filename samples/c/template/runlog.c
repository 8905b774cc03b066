/*
 * Programming in C, exercise sheet 8: the log of a running club.
 * Keep the name of this file; add functions, types and files as you like.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LEN 120
#define NAME_LEN 24

/* "mm:ss" to seconds, or -1 if the text is no such time */
int parse_time(const char *text)
{
    int min, sec;
    char rest;

    if (sscanf(text, "%d:%d%c", &min, &sec, &rest) != 2)
        return -1;
    return min < 0 || sec < 0 || sec > 59 ? -1 : min * 60 + sec;
}

void print_time(int seconds)
{
    printf("%d:%02d", seconds / 60, seconds % 60);
}

int main(void)
{
    char line[LINE_LEN];

    /* TODO: set up */
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0' || line[0] == '#')
            continue;
        if (strcmp(line, "quit") == 0)
            break;
        /* TODO: carry out the command in line */
    }
    /* TODO: clean up */
    return 0;
}
