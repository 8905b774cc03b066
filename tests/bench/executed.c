/* Runs the program above once for each number of a mutant, in a process of its own, and writes what
   it prints and how it ends into a file of that name. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int last = atoi(arguments[1]), status;
    fill_tables();
    for (mutant_number = 0; mutant_number <= last; mutant_number++) {
        char name[20];
        sprintf(name, "%d", mutant_number);
        if (fork() == 0) {
            struct rlimit size = {1 << 16, 1 << 16}, memory = {1 << 28, 1 << 28};
            struct itimerval time = {{0, 0}, {0, 30000}};
            freopen("commands", "r", stdin);
            freopen(name, "w", stdout);
            freopen("/dev/null", "w", stderr);
            setrlimit(RLIMIT_FSIZE, &size);
            setrlimit(RLIMIT_AS, &memory);
            setitimer(ITIMER_PROF, &time, NULL);
            exit(((int (*)(int, char **)) program)(1, arguments));
        }
        wait(&status);
        FILE *file = fopen(name, "a");
        fprintf(file, "%d", status);
        fclose(file);
    }
    return 0;
}
