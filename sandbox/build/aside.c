/* A forked process writes its answer into a pipe and ends. Time on the CPU bounds it, and not on
 * the clock, so that a busy machine gives the answers of an idle one. */
#include "sandbox/build/aside.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CPU_SECONDS = 4,     /* a pass takes some hundredths */
    MAX_ANSWER = 4 << 20 /* bytes */
};

_Noreturn static void work_and_end(void (*work)(void *context, struct text *out), void *context,
                                   pid_t parent, int to) {
    struct rlimit limit;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || getrlimit(RLIMIT_CPU, &limit) != 0)
        _exit(1);
    if (limit.rlim_cur > CPU_SECONDS)
        limit.rlim_cur = CPU_SECONDS;
    struct text answer = {0};
    if (setrlimit(RLIMIT_CPU, &limit) != 0)
        _exit(1);
    work(context, &answer);
    _exit(file_write_all(to, answer.data, answer.length) ? 0 : 1);
}

/* Until the other side ends. False where it says more than is needed. */
static bool read_answer(int from, struct text *answer) {
    char buffer[1 << 14];
    for (;;) {
        ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        if (answer->length + (size_t)count > MAX_ANSWER)
            return false;
        text_append_bytes(answer, buffer, (size_t)count);
    }
}

bool aside_run(void (*work)(void *context, struct text *out), void *context, struct text *out) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    cleanup_fd int from = ends[0];
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        work_and_end(work, context, parent, ends[1]);
    close(ends[1]);
    if (child < 0)
        return false;
    cleanup_text struct text answer = {0};
    bool whole = read_answer(from, &answer);
    int status = 0;
    if (!whole)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return false;
    text_append(out, text_string(&answer));
    return true;
}
