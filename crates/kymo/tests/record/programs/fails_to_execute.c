// Tries to execute paths that are no programs, and then sleeps.

#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *arguments[] = {"program", 0};
    char *no_programs[] = {"/", "/none/program", ""};
    setenv("PATH", "/:/none", 1);
    for (int number = 0; number < 3; ++number)
        execv(no_programs[number], arguments);
    execvp("tmp", arguments);
    usleep(1000);
    return 7;
}
