/* The coordinator: judges of a batch that are nodes of a cluster. It files what it is given, and
 * gives back what the nodes have judged; what happens in between is in coordinator_*.c. */
#include "grader/cluster/coordinator.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BACKLOG = 5000,   /* submissions that are on the cluster; their texts are in its folder */
    SCAN_MS = 200,    /* between two looks at results */
    PAUSE_US = 10000, /* while take() waits */
    SETTLE_MS = 2000, /* for tasks that have judged everything to end */
};

static struct coordinator *coordinator_of(struct batch_judges *judges) {
    return (struct coordinator *)judges;
}

/* ---- give --------------------------------------------------------------------------------- */

static enum status file_unit(const struct coordinator *coordinator,
                             const struct cluster_order *order, const struct batch_unit *unit,
                             const char *key, struct error *error) {
    cleanup_free char *text = exchange_write_order(order);
    cleanup_free char *source = mem_printf("units/%s.cu", key);
    cleanup_free char *description = mem_printf("units/%s.json", key);
    enum status status =
        run_folder_write(&coordinator->folder, source, unit->text, unit->length, error);
    return status == STATUS_OK
               ? run_folder_write(&coordinator->folder, description, text, strlen(text), error)
               : status;
}

static enum status give(struct batch_judges *judges, struct batch_unit *unit, struct error *error) {
    struct coordinator *coordinator = coordinator_of(judges);
    const struct cluster_order order = {unit->definition->id, unit->version, unit->name,
                                        unit->sha256};
    struct cluster_slot *slot = mem_zalloc(sizeof *slot);
    *slot = (struct cluster_slot){.unit = unit, .given_ms = clock_ms()};
    exchange_key(coordinator->session, &order, unit->text, unit->length, slot->key);
    enum status status = file_unit(coordinator, &order, unit, slot->key, error);
    if (status != STATUS_OK) {
        batch_unit_free(unit);
        free(slot);
        return status;
    }
    free(steal_pointer(&unit->text));
    HASH_ADD(hh, coordinator->slots, key, CLUSTER_KEY_SIZE - 1, slot);
    coordinator->given_ms = slot->given_ms;
    judges->waiting++;
    coordinator_look(coordinator, slot);
    return STATUS_OK;
}

/* ---- take --------------------------------------------------------------------------------- */

static struct batch_unit *take_done(struct coordinator *coordinator) {
    if (coordinator->done_count == 0)
        return NULL;
    struct cluster_slot *slot = coordinator->done[--coordinator->done_count];
    struct batch_unit *unit = slot->unit;
    HASH_DEL(coordinator->slots, slot);
    free(slot);
    coordinator->base.waiting--;
    return unit;
}

static void step(struct coordinator *coordinator) {
    double now = clock_ms();
    if (now >= coordinator->scan_ms && coordinator->task_count > 0) {
        coordinator_scan(coordinator);
        coordinator->scan_ms = clock_ms() + SCAN_MS;
    }
    coordinator_step_tasks(coordinator);
}

static struct batch_unit *take(struct batch_judges *judges, int timeout_ms, enum status *status,
                               struct error *error) {
    struct coordinator *coordinator = coordinator_of(judges);
    double end = clock_ms() + timeout_ms;
    *status = STATUS_OK;
    for (;;) {
        struct batch_unit *unit = take_done(coordinator);
        if (unit)
            return unit;
        if (coordinator->status != STATUS_OK) {
            *status = coordinator->status;
            if (error)
                *error = coordinator->error;
            return NULL;
        }
        step(coordinator);
        if (coordinator->done_count > 0 || coordinator->status != STATUS_OK)
            continue;
        if (clock_ms() >= end)
            return NULL;
        usleep(PAUSE_US);
    }
}

static const char *say(struct batch_judges *judges) {
    return coordinator_of(judges)->note;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Tasks whose results are all here write their last file now. */
static void let_tasks_end(struct coordinator *coordinator) {
    double end = clock_ms() + SETTLE_MS;
    while (coordinator->task_count > 0 && clock_ms() < end) {
        bool over = true;
        coordinator_scan(coordinator);
        for (size_t i = 0; i < coordinator->task_count; i++)
            over &= coordinator->tasks[i]->over;
        if (over)
            return;
        usleep(PAUSE_US);
    }
}

static void release(struct coordinator *coordinator) {
    struct cluster_slot *slot, *next;
    HASH_ITER(hh, coordinator->slots, slot, next) {
        HASH_DEL(coordinator->slots, slot);
        batch_unit_free(slot->unit);
        free(slot);
    }
    for (size_t i = 0; i < coordinator->task_count; i++)
        free(coordinator->tasks[i]);
    free(coordinator->tasks);
    free(coordinator->done);
    free(coordinator->seconds);
    free(coordinator->root);
    free(coordinator->name);
    free(coordinator->session);
    free(coordinator->program);
    free(coordinator);
}

static void close_slurm(struct batch_judges *judges) {
    struct coordinator *coordinator = coordinator_of(judges);
    bool complete = judges->waiting == 0 && !coordinator->failed;
    if (complete)
        let_tasks_end(coordinator);
    coordinator_end(coordinator, !complete && coordinator->submitted);
    release(coordinator);
}

static void abandon(struct batch_judges *judges) {
    coordinator_end(coordinator_of(judges), false);
}

/* ---- opening ------------------------------------------------------------------------------ */

const char *cluster_engine(const struct cluster_options *options, enum grade_engine engine) {
    return judges_engine_name(engine,
                              engine == GRADE_ENGINE_CUDA ||
                                  slurm_asks_for_cards(options->options, options->option_count));
}

enum status judges_open_slurm(const struct cluster_options *options,
                              const struct grade_options *grade, const double *pass_mark,
                              const char *folder, struct batch_judges **judges,
                              struct error *error) {
    const struct cluster_session session = {
        .tool = WARPGRADE_VERSION,
        .engine = cluster_engine(options, grade->engine),
        .device = grade->device,
        .language = grade->language,
        .seed = grade->seed,
        .has_pass_mark = pass_mark != NULL,
        .pass_mark = pass_mark ? *pass_mark : 0,
    };
    enum status status = slurm_check(error);
    if (status != STATUS_OK)
        return status;
    struct coordinator *coordinator = mem_zalloc(sizeof *coordinator);
    *coordinator = (struct coordinator){
        .base = {.give = give,
                 .take = take,
                 .close = close_slurm,
                 .abandon = abandon,
                 .say = say,
                 .width = 1,
                 .backlog = BACKLOG},
        .options = *options,
        .root = mem_strdup(folder),
        .session = exchange_write_session(&session),
        .seed = grade->seed,
        .folder = {.descriptor = -1},
    };
    status = coordinator_begin(coordinator, error);
    if (status == STATUS_OK) {
        *judges = &coordinator->base;
        return STATUS_OK;
    }
    coordinator_end(coordinator, false);
    release(coordinator);
    return status;
}
