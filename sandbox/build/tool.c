/* A child of a worker inherits the worker's limits and process group; the supervisor kills both. */
#include "sandbox/build/tool.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int tool_run(char *const argv[], char *const environment[], const char *directory,
             struct text *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDONLY);
        if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(ends[1], 1) < 0 || dup2(ends[1], 2) < 0 ||
            chdir(directory) != 0)
            _exit(127);
        execve(argv[0], argv, environment);
        _exit(127);
    }
    close(ends[1]);
    char buffer[65536];
    ssize_t got;
    while (pid > 0 &&
           ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))) {
        size_t room = TOOL_OUTPUT_MAX - output->length;
        if (got > 0)
            text_append_bytes(output, buffer, (size_t)got < room ? (size_t)got : room);
    }
    close(ends[0]);
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 ? status : -1;
}
