/* Starts a program that may not write into the folder of the measurement. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    const char* folder = getenv("KYMO_RECORD_DIRECTORY");
    int status = 1;
    /* For one that is not root. */
    if (folder && chmod(folder, 0555))
        return 2;
    if (fork() == 0) {
        if (getuid() == 0 && setuid(65534))
            _exit(3);
        execl("/bin/echo", "echo", "hello", (char*) 0);
        _exit(4);
    }
    wait(&status);
    if (folder)
        chmod(folder, 0755);
    return WEXITSTATUS(status);
}
