/* The command lines. The user's options come first: of options that are given twice, Slurm takes
 * the last, and name, array, output and requeueing are ours. */
#include "grader/cluster/slurm.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 60, CANCEL_PAUSE_US = 100000, CANCEL_AGAIN_MS = 5000 };

static bool is_in_path(const char *program) {
    const char *path = getenv("PATH");
    cleanup_free char *copy = mem_strdup(path ? path : "/usr/bin:/bin");
    for (char *rest = copy, *folder; (folder = strsep(&rest, ":"));) {
        cleanup_free char *file = file_join(*folder ? folder : ".", program);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

enum status slurm_check(struct error *error) {
    static const char *const programs[] = {"sbatch", "squeue", "scancel"};
    for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
        if (is_in_path(programs[i]))
            continue;
        error_set(error, STATUS_ENVIRONMENT, "--cluster slurm needs %s, which is not in PATH",
                  programs[i]);
        error_hint(error, "run it where jobs are submitted (a login node); on Debian: apt install "
                          "slurm-client");
        return STATUS_ENVIRONMENT;
    }
    return STATUS_OK;
}

/* In names of files % begins a pattern of Slurm's. */
static char *log_option(const char *folder) {
    struct text out = {0};
    text_append(&out, "--output=");
    for (const char *c = folder; *c; c++)
        text_printf(&out, *c == '%' ? "%%%c" : "%c", *c);
    text_append(&out, "/%A_%a.txt");
    return text_steal(&out);
}

enum status slurm_submit(const struct slurm_submission *submission, struct process **process,
                         struct error *error) {
    cleanup_free char *log = log_option(submission->logs);
    cleanup_free char *name = mem_printf("--job-name=%s", submission->name);
    cleanup_text struct text array = {0};
    text_printf(&array, "--array=0-%zu", submission->tasks - 1);
    if (submission->together)
        text_printf(&array, "%%%zu", submission->together);
    cleanup_free const char **argv = NULL;
    size_t count = 0, capacity = 0;
    *mem_push(&argv, &count, &capacity) = "sbatch";
    for (size_t i = 0; i < submission->option_count; i++)
        *mem_push(&argv, &count, &capacity) = submission->options[i];
    const char *const own[] = {"--parsable", "--requeue",         "--open-mode=append", log,
                               name,         text_string(&array), submission->script};
    for (size_t i = 0; i < ARRAY_LENGTH(own); i++)
        *mem_push(&argv, &count, &capacity) = own[i];
    for (size_t i = 0; submission->arguments[i]; i++)
        *mem_push(&argv, &count, &capacity) = submission->arguments[i];
    *mem_push(&argv, &count, &capacity) = NULL;
    return process_start(argv, LIMIT_SECONDS, process, error);
}

/* Another user's jobs may have the name, too. */
static char *user_option(void) {
    return mem_printf("--user=%u", (unsigned)geteuid());
}

static enum status ask(const char *name, const char *states, struct process **process,
                       struct error *error) {
    cleanup_free char *job_name = mem_printf("--name=%s", name);
    cleanup_free char *user = user_option();
    const char *const argv[] = {"squeue", "--noheader", "--all", "--array",
                                user,     job_name,     states,  "--format=%F|%K|%T|%r|%N",
                                NULL};
    return process_start(argv, LIMIT_SECONDS, process, error);
}

enum status slurm_ask(const char *name, struct process **process, struct error *error) {
    return ask(name, "--states=all", process, error);
}

static void cancel_once(const char *name) {
    cleanup_free char *job_name = mem_printf("--name=%s", name);
    cleanup_free char *user = user_option();
    const char *const argv[] = {"scancel", "--quiet", user, job_name, NULL};
    struct process *process;
    struct process_result result;
    if (process_start(argv, LIMIT_SECONDS, &process, NULL) != STATUS_OK)
        return;
    process_finish(process, &result);
    process_result_free(&result);
}

/* Without a state, squeue lists what is pending, running or being ended. */
static bool is_empty(const char *name) {
    struct process *process;
    struct process_result result;
    if (ask(name, "--states=pending,running,suspended,completing,configuring", &process, NULL) !=
        STATUS_OK)
        return false;
    process_finish(process, &result);
    bool empty =
        result.in_time && result.code == 0 && strspn(result.output, " \n") == strlen(result.output);
    process_result_free(&result);
    return empty;
}

bool slurm_cancel(const char *name, double seconds) {
    double end = clock_ms() + seconds * 1e3, again = 0;
    for (;;) {
        double now = clock_ms();
        if (now >= again) {
            cancel_once(name);
            again = now + CANCEL_AGAIN_MS;
        }
        if (is_empty(name))
            return true;
        if (clock_ms() > end)
            return false;
        usleep(CANCEL_PAUSE_US);
    }
}
