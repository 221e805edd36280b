/* Submissions become tasks, tasks become job arrays, and what Slurm says of them is watched.
 *
 * sbatch and squeue run aside: a busy controller takes seconds to answer, and repositories are read
 * meanwhile. A task that has ended is given a moment until its files are visible here, too; what
 * then has no result is submitted again. So is what a requeued task has not judged: Slurm starts it
 * only when its credential has expired, two minutes later, and it will find nothing left to do. */
#include "grader/cluster/coordinator.h"

#include "grader/cluster/grouping.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARRAY_TASKS = 500, /* half of what Slurm allows where it is not configured */
    QUIET_MS = 300,    /* after the last submission that was read */
    WAIT_MS = 1500,    /* ... at most, while more are read */
    ASK_LEAST_MS = 300,
    ASK_MOST_MS = 5000,
    ASK_PATIENCE = 60, /* times that squeue may fail in a row */
    VISIBLE_MS = 1000, /* until what a node has written is seen here */
    FORGOTTEN_MS = 5000,
    SILENT_MS = 60000, /* a task that runs and shows nothing */
    SUBMIT_FAILURES = 5,
    BARREN_TASKS = 3, /* that ended without any result, before there was any */
};

#define FIRST_SECONDS 0.5 /* expected of a submission before one was measured */

void coordinator_stop(struct coordinator *coordinator, const char *hint, const char *format, ...) {
    char message[sizeof coordinator->error.message];
    va_list arguments;
    if (coordinator->status != STATUS_OK)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    coordinator->status = error_set(&coordinator->error, STATUS_ENVIRONMENT, "%s", message);
    bool is_kept = coordinator->submitted && !strstr(hint, coordinator->folder.path);
    error_hint(&coordinator->error, "%s%s%s", hint, is_kept ? "; what is done is kept in " : "",
               is_kept ? coordinator->folder.path : "");
    coordinator->failed = true;
}

/* ---- submitting --------------------------------------------------------------------------- */

static double expected_seconds(const struct coordinator *coordinator,
                               const struct cluster_slot *slot) {
    for (size_t i = 0; i < coordinator->seconds_count; i++)
        if (strcmp(coordinator->seconds[i].exercise, slot->unit->definition->id) == 0)
            return coordinator->seconds[i].seconds;
    return FIRST_SECONDS;
}

static size_t unfinished_tasks(const struct coordinator *coordinator) {
    size_t count = 0;
    for (size_t i = 0; i < coordinator->task_count; i++)
        count += coordinator->tasks[i]->left > 0;
    return count;
}

/* Places for tasks at the same time; 0: none now. */
static size_t free_places(const struct coordinator *coordinator) {
    size_t together = coordinator->options.together, used = unfinished_tasks(coordinator);
    return together == 0 ? SIZE_MAX : together > used ? together - used : 0;
}

static enum status write_task(struct coordinator *coordinator, struct cluster_task *task,
                              struct cluster_slot *const *slots, size_t count,
                              struct error *error) {
    char(*keys)[CLUSTER_KEY_SIZE] = mem_calloc(count, sizeof *keys);
    for (size_t i = 0; i < count; i++)
        memcpy(keys[i], slots[i]->key, sizeof keys[i]);
    cleanup_free char *text =
        exchange_write_keys((const char(*)[CLUSTER_KEY_SIZE])(void *)keys, count);
    cleanup_free char *name = mem_printf("tasks/%u", task->number);
    free(keys);
    return run_folder_write(&coordinator->folder, name, text, strlen(text), error);
}

static enum status start_sbatch(struct coordinator *coordinator, unsigned first, size_t tasks,
                                struct error *error) {
    cleanup_free char *number = mem_printf("%u", first);
    cleanup_free char *logs = mem_printf("%s/logs", coordinator->folder.path);
    cleanup_free char *script = mem_printf("%s/task.sh", coordinator->folder.path);
    const char *arguments[6] = {coordinator->program, "batch-task", coordinator->folder.path,
                                number};
    if (jail_is_unsafe())
        arguments[4] = "--unsafe-no-jail";
    else if (jail_asked() != JAIL_AUTO)
        arguments[4] = jail_asked() == JAIL_NAMESPACES ? "--jail=namespaces" : "--jail=landlock";
    const size_t places = free_places(coordinator);
    const struct slurm_submission submission = {
        .name = coordinator->name,
        .options = coordinator->options.options,
        .option_count = coordinator->options.option_count,
        .tasks = tasks,
        .together = places == SIZE_MAX || places >= tasks ? 0 : places,
        .logs = logs,
        .script = script,
        .arguments = arguments,
    };
    return slurm_submit(&submission, &coordinator->submitting, error);
}

/* The waiting slots, and how they are grouped. */
static size_t group(struct coordinator *coordinator, struct cluster_slot ***slots,
                    struct grouping_unit **units, size_t *count) {
    size_t capacity = 0;
    struct cluster_slot *slot, *next;
    *slots = NULL;
    *count = 0;
    HASH_ITER(hh, coordinator->slots, slot, next)
    if (slot->state == SLOT_WAITING)
        *mem_push(slots, count, &capacity) = slot;
    *units = mem_calloc(*count + 1, sizeof **units);
    for (size_t i = 0; i < *count; i++)
        (*units)[i] = (struct grouping_unit){.seconds = expected_seconds(coordinator, (*slots)[i]),
                                             .alone = (*slots)[i]->tries + 1 == COORDINATOR_TRIES};
    return grouping_make(*units, *count, coordinator->options.together);
}

static enum status make_tasks(struct coordinator *coordinator, struct cluster_slot *const *slots,
                              const struct grouping_unit *units, size_t count, size_t tasks,
                              struct error *error) {
    size_t first = coordinator->next_number, from = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < tasks && status == STATUS_OK; i++) {
        size_t to = from;
        while (to < count && units[to].task == i)
            to++;
        struct cluster_task *task = mem_zalloc(sizeof *task);
        *task = (struct cluster_task){
            .number = coordinator->next_number++, .index = (unsigned)i, .left = to - from};
        *mem_push(&coordinator->tasks, &coordinator->task_count, &coordinator->task_capacity) =
            task;
        for (size_t k = from; k < to; k++) {
            slots[k]->state = SLOT_IN_TASK;
            slots[k]->task = task;
            slots[k]->tries++;
        }
        status = write_task(coordinator, task, slots + from, to - from, error);
        from = to;
    }
    return status == STATUS_OK ? start_sbatch(coordinator, (unsigned)first, tasks, error) : status;
}

static void submit(struct coordinator *coordinator) {
    struct cluster_slot **slots;
    struct grouping_unit *units;
    size_t count, tasks = group(coordinator, &slots, &units, &count);
    struct error error = {0};
    if (tasks > ARRAY_TASKS)
        tasks = ARRAY_TASKS;
    if (tasks > 0 && make_tasks(coordinator, slots, units, count, tasks, &error) != STATUS_OK)
        coordinator_stop(coordinator, error.hint, "%s", error.message);
    free(units);
    free(slots);
}

static bool is_submission_due(const struct coordinator *coordinator) {
    double now = clock_ms(), oldest = now;
    bool any = false;
    for (const struct cluster_slot *slot = coordinator->slots; slot; slot = slot->hh.next)
        if (slot->state == SLOT_WAITING) {
            any = true;
            oldest = slot->given_ms < oldest ? slot->given_ms : oldest;
        }
    return any && !coordinator->submitting && now >= coordinator->submit_ms &&
           free_places(coordinator) > 0 &&
           (now - coordinator->given_ms > QUIET_MS || now - oldest > WAIT_MS);
}

/* ---- forgetting a task -------------------------------------------------------------------- */

static void forget_task(struct coordinator *coordinator, size_t index) {
    free(coordinator->tasks[index]);
    memmove(&coordinator->tasks[index], &coordinator->tasks[index + 1],
            (--coordinator->task_count - index) * sizeof(struct cluster_task *));
}

/* The slots of a task are tried again; not_counted: Slurm has not even taken it. */
static void release_slots(struct coordinator *coordinator, struct cluster_task *task,
                          const char *reason, bool not_counted) {
    struct cluster_slot *slot, *next;
    HASH_ITER(hh, coordinator->slots, slot, next)
    if (slot->state == SLOT_IN_TASK && slot->task == task) {
        slot->tries -= not_counted;
        coordinator_retry(coordinator, slot, reason);
    }
}

static void finish_sbatch(struct coordinator *coordinator) {
    struct process_result result;
    uint64_t job = 0;
    process_finish(steal_pointer(&coordinator->submitting), &result);
    bool accepted =
        result.in_time && result.code == 0 && slurm_read_job(result.output, result.length, &job);
    for (size_t i = coordinator->task_count; i-- > 0;) {
        struct cluster_task *task = coordinator->tasks[i];
        if (task->job)
            continue;
        task->job = job;
        task->submitted_ms = clock_ms();
        if (!accepted) {
            release_slots(coordinator, task, result.complaint, true);
            forget_task(coordinator, i);
        }
    }
    const char *complaint = !result.in_time     ? "it did not answer"
                            : *result.complaint ? result.complaint
                                                : "it gave no number of a job";
    if (accepted) {
        coordinator->submitted = true;
        coordinator->submit_failures = 0;
        coordinator->ask_ms = coordinator->ask_pause_ms = 0;
    } else if (!coordinator->submitted || ++coordinator->submit_failures == SUBMIT_FAILURES) {
        coordinator_stop(coordinator, "what --cluster-option and --gres say is passed to sbatch",
                         "Slurm takes no jobs: %s", complaint);
    } else {
        coordinator->submit_ms = clock_ms() + (1000 << coordinator->submit_failures);
    }
    process_result_free(&result);
}

/* ---- what Slurm says ---------------------------------------------------------------------- */

static struct cluster_task *task_of(const struct coordinator *coordinator,
                                    const struct slurm_row *row) {
    for (size_t i = 0; i < coordinator->task_count; i++) {
        struct cluster_task *task = coordinator->tasks[i];
        if (task->job == row->job && task->index == row->index)
            return task;
    }
    return NULL;
}

/* It began before Slurm was asked, and waits now. */
static bool is_requeued(const struct cluster_task *task, const struct slurm_row *row,
                        double asked_ms) {
    return row->state == SLURM_PENDING &&
           (task->running_ms > 0 || (task->started_ms > 0 && task->started_ms < asked_ms));
}

static void note_row(struct cluster_task *task, const struct slurm_row *row, double asked_ms) {
    double now = clock_ms();
    task->listed = true;
    task->state = row->state;
    snprintf(task->node, sizeof task->node, "%s", row->node);
    snprintf(task->said, sizeof task->said, "%s%s%s%s%s%s", row->word, *row->reason ? " (" : "",
             row->reason, *row->reason ? ")" : "", *row->node ? " on " : "", row->node);
    task->requeued |= is_requeued(task, row, asked_ms);
    if (row->state != SLURM_RUNNING)
        task->running_ms = 0;
    else if (task->running_ms == 0)
        task->running_ms = now;
    if (row->state != SLURM_ENDED)
        task->ended_ms = 0;
    else if (task->ended_ms == 0)
        task->ended_ms = now;
}

static void note_unlisted(struct cluster_task *task, double asked_ms) {
    if (!task->job || task->listed || task->ended_ms > 0 ||
        asked_ms - task->submitted_ms < FORGOTTEN_MS)
        return;
    task->ended_ms = clock_ms();
    snprintf(task->said, sizeof task->said, "Slurm does not know it any more");
}

void coordinator_describe(struct coordinator *coordinator) {
    size_t pending = 0, running = 0;
    const char *said = "";
    for (size_t i = 0; i < coordinator->task_count; i++) {
        const struct cluster_task *task = coordinator->tasks[i];
        if (task->left == 0)
            continue;
        running += task->state == SLURM_RUNNING;
        if (task->state == SLURM_PENDING) {
            pending++;
            const char *bracket = strchr(task->said, '(');
            said = bracket && !*said ? bracket : said;
        }
    }
    coordinator->base.width = running ? running : 1;
    coordinator->note[0] = '\0';
    if (pending)
        snprintf(coordinator->note, sizeof coordinator->note, "%zu task%s pending%s%s", pending,
                 pending == 1 ? "" : "s", *said ? " " : "", said);
}

static void finish_squeue(struct coordinator *coordinator) {
    struct process_result result;
    struct slurm_rows rows = {0};
    double asked_ms = coordinator->ask_ms;
    bool changed = false;
    process_finish(steal_pointer(&coordinator->asking), &result);
    bool answered = result.in_time && result.code == 0;
    if (answered)
        slurm_read_queue(result.output, result.length, &rows);
    for (size_t i = 0; i < coordinator->task_count; i++)
        coordinator->tasks[i]->listed = false;
    for (size_t i = 0; i < rows.count; i++) {
        struct cluster_task *task = task_of(coordinator, &rows.rows[i]);
        if (task) {
            changed |= task->state != rows.rows[i].state;
            note_row(task, &rows.rows[i], asked_ms);
        }
    }
    for (size_t i = 0; answered && i < coordinator->task_count; i++)
        note_unlisted(coordinator->tasks[i], asked_ms);
    coordinator_describe(coordinator);
    coordinator->ask_failures = answered ? 0 : coordinator->ask_failures + 1;
    if (coordinator->ask_failures == ASK_PATIENCE)
        coordinator_stop(coordinator, "the same command goes on when it does",
                         "Slurm does not answer: squeue: %s",
                         *result.complaint ? result.complaint : "no answer in time");
    double pause = changed ? ASK_LEAST_MS : coordinator->ask_pause_ms * 1.5;
    coordinator->ask_pause_ms = pause < ASK_LEAST_MS  ? ASK_LEAST_MS
                                : pause > ASK_MOST_MS ? ASK_MOST_MS
                                                      : pause;
    coordinator->ask_ms = clock_ms() + coordinator->ask_pause_ms;
    free(rows.rows);
    process_result_free(&result);
}

/* ---- what was lost ------------------------------------------------------------------------ */

/* The tasks do not even begin: something is wrong with the nodes or with what they were given. */
static void stop_for_barren(struct coordinator *coordinator, const struct cluster_task *task) {
    if (*task->refusal) {
        coordinator_stop(coordinator, task->refusal_hint, "%s", task->refusal);
    } else if (task->started_ms == 0) {
        cleanup_free char *hint = mem_printf(
            "the gradebook must stand in a folder that the nodes share, and %s must be there on "
            "each of them; what the tasks printed, if anything, is in %s/logs",
            coordinator->program, coordinator->folder.path);
        coordinator_stop(coordinator, hint, "the cluster's tasks write nothing into %s: %s",
                         coordinator->folder.path, task->said);
    } else {
        cleanup_free char *hint =
            mem_printf("what the tasks printed is in %s/logs", coordinator->folder.path);
        coordinator_stop(coordinator, hint, "the cluster's tasks end without a result: %s",
                         task->said);
    }
}

static void lose_task(struct coordinator *coordinator, struct cluster_task *task) {
    if (!coordinator->any_result && ++coordinator->barren == BARREN_TASKS)
        stop_for_barren(coordinator, task);
    release_slots(coordinator, task,
                  *task->refusal   ? task->refusal
                  : task->requeued ? "its node was lost, or it was preempted"
                  : *task->said    ? task->said
                                   : "its task ended early",
                  false);
}

static bool is_lost(const struct cluster_task *task, double now) {
    return task->settled || task->requeued ||
           (task->ended_ms > 0 && now - task->ended_ms > VISIBLE_MS);
}

static void look_at_tasks(struct coordinator *coordinator) {
    double now = clock_ms();
    for (size_t i = coordinator->task_count; i-- > 0;) {
        struct cluster_task *task = coordinator->tasks[i];
        if (!coordinator->any_started && task->running_ms > 0 && now - task->running_ms > SILENT_MS)
            stop_for_barren(coordinator, task);
        if (!is_lost(task, now))
            continue;
        if (task->left > 0)
            lose_task(coordinator, task);
        forget_task(coordinator, i);
    }
}

void coordinator_step_tasks(struct coordinator *coordinator) {
    struct error error = {0};
    if (coordinator->submitting && process_is_done(coordinator->submitting))
        finish_sbatch(coordinator);
    if (coordinator->asking && process_is_done(coordinator->asking))
        finish_squeue(coordinator);
    look_at_tasks(coordinator);
    if (coordinator->status != STATUS_OK)
        return;
    if (is_submission_due(coordinator))
        submit(coordinator);
    if (!coordinator->asking && coordinator->task_count > 0 && coordinator->submitted &&
        clock_ms() >= coordinator->ask_ms) {
        coordinator->ask_ms = clock_ms();
        if (slurm_ask(coordinator->name, &coordinator->asking, &error) != STATUS_OK)
            coordinator_stop(coordinator, error.hint, "%s", error.message);
    }
}
