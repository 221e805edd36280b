/* The beginning and the end of a run: its folder, and what an earlier run left behind. The batch
 * holds the course's lock all the while, so that nobody else has the folder.
 *
 * The folder's name is the job's name, made of where it is and of what decides reports: a run that
 * goes on with the same seed finds the same folder, and jobs of others never have the name. */
#include "grader/cluster/coordinator.h"

#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_DIGITS = 16, CANCEL_SECONDS = 30 };

static const char prefix[] = "warpgrade-";
static const char script[] = "#!/bin/sh\nexec \"$@\"\n";

static enum status find_names(struct coordinator *coordinator, struct error *error) {
    char resolved[PATH_MAX], hex[65];
    ssize_t length = readlink("/proc/self/exe", resolved, sizeof resolved - 1);
    if (length <= 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot find the program itself: %m");
    coordinator->program = mem_strndup(resolved, (size_t)length);
    if (!realpath(coordinator->root, resolved))
        return error_set(error, STATUS_ENVIRONMENT, "cannot find %s: %m", coordinator->root);
    free(coordinator->root);
    coordinator->root = mem_strdup(resolved);
    const struct hash_part parts[] = {{resolved, strlen(resolved)},
                                      {coordinator->session, strlen(coordinator->session)}};
    struct sha256 hash = hash_parts(parts, ARRAY_LENGTH(parts));
    hash_hex(&hash, hex);
    coordinator->name = mem_printf("%s%.*s", prefix, NAME_DIGITS, hex);
    return STATUS_OK;
}

static bool is_run(const char *name) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 && strlen(name) == length + NAME_DIGITS &&
           strspn(name + length, "0123456789abcdef") == NAME_DIGITS;
}

/* The jobs of runs that were killed go; so do their folders, but for the one that is gone on with.
 */
static enum status clear_away(struct coordinator *coordinator, struct error *error) {
    struct run_folder root;
    struct run_folder_names names = {0};
    enum status status = run_folder_open(coordinator->root, &root, error);
    if (status == STATUS_OK)
        run_folder_list(&root, ".", &names);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++) {
        if (!is_run(names.names[i]))
            continue;
        if (!slurm_cancel(names.names[i], CANCEL_SECONDS)) {
            status = error_set(error, STATUS_ENVIRONMENT,
                               "jobs of an earlier run cannot be cancelled: %s", names.names[i]);
            error_hint(error, "scancel --name=%s; does `squeue` answer?", names.names[i]);
        } else if (strcmp(names.names[i], coordinator->name) != 0) {
            cleanup_free char *path = file_join(coordinator->root, names.names[i]);
            run_folder_remove(path);
        }
    }
    run_folder_names_free(&names);
    run_folder_close(&root);
    return status;
}

/* Tasks of the run that is gone on with have their files already. */
static unsigned find_next_number(const struct coordinator *coordinator) {
    struct run_folder_names names = {0};
    unsigned next = 0;
    run_folder_list(&coordinator->folder, "tasks", &names);
    for (size_t i = 0; i < names.count; i++) {
        unsigned long number = strtoul(names.names[i], NULL, 10);
        if (number < UINT_MAX / 2 && number >= next)
            next = (unsigned)number + 1;
    }
    run_folder_names_free(&names);
    return next;
}

enum status coordinator_begin(struct coordinator *coordinator, struct error *error) {
    enum status status = run_folder_make(coordinator->root, error);
    if (status == STATUS_OK)
        status = find_names(coordinator, error);
    if (status == STATUS_OK)
        status = clear_away(coordinator, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *path = file_join(coordinator->root, coordinator->name);
    status = run_folder_create(path, &coordinator->folder, error);
    if (status == STATUS_OK)
        status = run_folder_write(&coordinator->folder, "session.json", coordinator->session,
                                  strlen(coordinator->session), error);
    if (status == STATUS_OK)
        status = run_folder_write(&coordinator->folder, "task.sh", script, strlen(script), error);
    if (status == STATUS_OK)
        coordinator->next_number = find_next_number(coordinator);
    return status;
}

static void end_process(struct process **process) {
    struct process_result result;
    if (!*process)
        return;
    process_finish(steal_pointer(process), &result);
    process_result_free(&result);
}

void coordinator_end(struct coordinator *coordinator, bool keep) {
    end_process(&coordinator->submitting);
    end_process(&coordinator->asking);
    bool gone = !coordinator->submitted || slurm_cancel(coordinator->name, CANCEL_SECONDS);
    if (coordinator->folder.path && gone && !keep)
        run_folder_remove(coordinator->folder.path);
    run_folder_close(&coordinator->folder);
    rmdir(coordinator->root); /* stays where a run is kept */
}
