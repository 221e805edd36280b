/* Reading results: each is checked to be what was asked for, since whoever can write to the folder
 * could have put it there. */
#include "grader/cluster/coordinator.h"

#include "reports/stored/stored.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void settle(struct coordinator *coordinator, struct cluster_slot *slot, enum status status) {
    struct batch_unit *unit = slot->unit;
    if (slot->task)
        slot->task->left--;
    slot->task = NULL;
    slot->state = SLOT_DONE;
    unit->status = status;
    unit->tries += COORDINATOR_TRIES; /* what can be tried again has been */
    coordinator->failed |= status != STATUS_OK;
    *mem_push(&coordinator->done, &coordinator->done_count, &coordinator->done_capacity) = slot;
}

void coordinator_retry(struct coordinator *coordinator, struct cluster_slot *slot,
                       const char *reason) {
    snprintf(slot->reason, sizeof slot->reason, "%s", reason);
    if (slot->tries < COORDINATOR_TRIES) {
        if (slot->task)
            slot->task->left--;
        slot->task = NULL;
        slot->state = SLOT_WAITING;
        return;
    }
    error_set(&slot->unit->error, STATUS_ENVIRONMENT,
              "the cluster could not judge it, %u times: %s", slot->tries, slot->reason);
    error_hint(&slot->unit->error, "what its tasks printed is in %s/logs",
               coordinator->folder.path);
    settle(coordinator, slot, STATUS_ENVIRONMENT);
}

/* ---- a submission ------------------------------------------------------------------------- */

static bool is_of(const struct coordinator *coordinator, const struct batch_unit *unit,
                  const struct report *report) {
    return report->exercise && strcmp(report->exercise, unit->definition->id) == 0 &&
           strcmp(report->sha256, unit->sha256) == 0 && report->seed == coordinator->seed;
}

static enum status read_report(const struct coordinator *coordinator, const char *name,
                               struct report **report, struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    *report = NULL;
    enum status status =
        run_folder_read(&coordinator->folder, name, STORED_MAX_BYTES, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    struct stored_reports stored = {0};
    status = stored_read(text, length, NULL, &stored, error);
    if (status == STATUS_OK && stored.count == 1)
        *report = steal_pointer(&stored.reports[0]);
    stored_free(&stored);
    return *report ? STATUS_OK : STATUS_ENVIRONMENT;
}

static void take_report(struct coordinator *coordinator, struct cluster_slot *slot,
                        const char *name) {
    struct report *report;
    if (read_report(coordinator, name, &report, NULL) != STATUS_OK ||
        !is_of(coordinator, slot->unit, report)) {
        report_free(report);
        run_folder_unlink(&coordinator->folder, name);
        coordinator_retry(coordinator, slot, "its result is no report of it");
        return;
    }
    /* A jail that was killed from outside: once more, on another node perhaps. */
    if (grade_exit_status(report) == STATUS_ENVIRONMENT && slot->tries < COORDINATOR_TRIES) {
        report_free(report);
        run_folder_unlink(&coordinator->folder, name);
        coordinator_retry(coordinator, slot, "its judge failed");
        return;
    }
    slot->unit->report = report;
    settle(coordinator, slot, STATUS_OK);
}

static void take_failure(struct coordinator *coordinator, struct cluster_slot *slot,
                         const char *name) {
    cleanup_free char *text = NULL;
    size_t length;
    struct cluster_failure failure;
    struct exchange *document = NULL;
    struct batch_unit *unit = slot->unit;
    if (run_folder_read(&coordinator->folder, name, EXCHANGE_MAX_BYTES, &text, &length, NULL) !=
            STATUS_OK ||
        exchange_read_failure(text, length, &failure, &document, NULL) != STATUS_OK) {
        run_folder_unlink(&coordinator->folder, name);
        coordinator_retry(coordinator, slot, "what its task says of it cannot be read");
        return;
    }
    if (failure.status == STATUS_INVALID) {
        error_set(&unit->error, STATUS_INVALID, "%s (on %s)", failure.message, failure.node);
        error_hint(&unit->error, "%s", failure.hint);
        settle(coordinator, slot, STATUS_INVALID);
    } else {
        cleanup_free char *reason = mem_printf("%s (on %s)", failure.message, failure.node);
        run_folder_unlink(&coordinator->folder, name);
        coordinator_retry(coordinator, slot, reason);
    }
    exchange_free(document);
}

void coordinator_look(struct coordinator *coordinator, struct cluster_slot *slot) {
    cleanup_free char *report = mem_printf("results/%s.report", slot->key);
    cleanup_free char *failure = mem_printf("results/%s.failed", slot->key);
    run_folder_unlink(&coordinator->folder, failure);
    if (run_folder_has(&coordinator->folder, report))
        take_report(coordinator, slot, report);
}

/* ---- a task ------------------------------------------------------------------------------- */

static struct cluster_task *find_task(const struct coordinator *coordinator, const char *number) {
    char *end;
    unsigned long value = strtoul(number, &end, 10);
    for (size_t i = 0; *end == '.' && i < coordinator->task_count; i++)
        if (coordinator->tasks[i]->number == value)
            return coordinator->tasks[i];
    return NULL;
}

/* Half of what was known and half of what is new: nodes differ, and so do a class's solutions. */
static void learn(struct coordinator *coordinator, const struct cluster_seconds *measured) {
    for (size_t i = 0; i < coordinator->seconds_count; i++) {
        struct cluster_seconds *known = &coordinator->seconds[i];
        if (strcmp(known->exercise, measured->exercise) == 0) {
            known->seconds = (known->seconds + measured->seconds) / 2;
            return;
        }
    }
    *mem_push(&coordinator->seconds, &coordinator->seconds_count, &coordinator->seconds_capacity) =
        *measured;
}

static void take_end(struct coordinator *coordinator, struct cluster_task *task, const char *name) {
    cleanup_free char *text = NULL;
    cleanup_free struct cluster_seconds *seconds = NULL;
    size_t length, count = 0;
    task->over = true;
    if (run_folder_read(&coordinator->folder, name, EXCHANGE_MAX_BYTES, &text, &length, NULL) ==
            STATUS_OK &&
        exchange_read_seconds(text, length, &seconds, &count, NULL) == STATUS_OK)
        for (size_t i = 0; i < count; i++)
            learn(coordinator, &seconds[i]);
}

static void take_refusal(struct coordinator *coordinator, struct cluster_task *task,
                         const char *name) {
    cleanup_free char *text = NULL;
    size_t length;
    struct cluster_failure failure;
    struct exchange *document = NULL;
    task->over = true;
    if (run_folder_read(&coordinator->folder, name, EXCHANGE_MAX_BYTES, &text, &length, NULL) ==
            STATUS_OK &&
        exchange_read_failure(text, length, &failure, &document, NULL) == STATUS_OK) {
        snprintf(task->refusal, sizeof task->refusal, "%s (on %s)", failure.message, failure.node);
        snprintf(task->refusal_hint, sizeof task->refusal_hint, "%s", failure.hint);
    }
    exchange_free(document);
}

static void take_task_file(struct coordinator *coordinator, struct cluster_task *task,
                           const char *ending, const char *path) {
    if (strcmp(ending, ".started") == 0) {
        coordinator->any_started = true;
        if (task->started_ms == 0)
            task->started_ms = clock_ms();
        return;
    }
    task->settled |= task->over;
    if (strcmp(ending, ".ended") == 0 && !task->over)
        take_end(coordinator, task, path);
    else if (strcmp(ending, ".refused") == 0 && !task->over)
        take_refusal(coordinator, task, path);
}

static void take_file(struct coordinator *coordinator, const char *name) {
    const char *ending = strchr(name, '.');
    size_t length = ending ? (size_t)(ending - name) : 0;
    cleanup_free char *path = mem_printf("results/%s", name);
    if (!ending)
        return;
    if (length != CLUSTER_KEY_SIZE - 1) {
        struct cluster_task *task = find_task(coordinator, name);
        if (task)
            take_task_file(coordinator, task, ending, path);
        return;
    }
    struct cluster_slot *slot;
    HASH_FIND(hh, coordinator->slots, name, length, slot);
    if (!slot || slot->state != SLOT_IN_TASK)
        return;
    coordinator->any_result = true;
    if (strcmp(ending, ".report") == 0)
        take_report(coordinator, slot, path);
    else if (strcmp(ending, ".failed") == 0)
        take_failure(coordinator, slot, path);
}

void coordinator_scan(struct coordinator *coordinator) {
    struct run_folder_names names = {0};
    run_folder_list(&coordinator->folder, "results", &names);
    for (size_t i = 0; i < names.count; i++)
        take_file(coordinator, names.names[i]);
    run_folder_names_free(&names);
}
