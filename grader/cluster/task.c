/* What a node runs: one task of a job array.
 *
 * It may be started again at any moment, here or on another node, also while the first one still
 * runs: what has a result is skipped, and results appear whole. What cannot be judged here is said
 * in a file, and the coordinator decides what becomes of it. */
#include "grader/cluster/cluster.h"

#include "grader/cluster/exchange.h"
#include "grader/cluster/run_folder.h"
#include "grader/exercise/version.h"
#include "reports/report.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_MS = 100, SOURCE_MAX_BYTES = 64 << 20 };

/* An exercise of this task, loaded once. */
struct task_exercise {
    char *id;
    struct exercise *exercise; /* NULL: cannot be loaded, and why */
    char version[65];
    struct error error;
    double seconds; /* spent on it */
    size_t judged;
};

struct task_unit { /* being judged */
    char key[CLUSTER_KEY_SIZE];
    struct batch_unit *unit;
};

struct task {
    struct run_folder folder;
    unsigned number;
    char node[65];
    struct cluster_session session;
    struct exchange *session_document;
    struct grade_session *judge;
    struct batch_judges *judges;
    char (*keys)[CLUSTER_KEY_SIZE];
    size_t key_count, next;
    struct task_exercise **exercises;
    size_t exercise_count, exercise_capacity;
    struct task_unit *running;
    size_t running_count, running_capacity;
    double last_ms;
};

static bool has_result(const struct task *task, const char *key) {
    cleanup_free char *name = mem_printf("results/%s.report", key);
    return run_folder_has(&task->folder, name);
}

static enum status write_named(const struct task *task, const char *name, const char *text,
                               struct error *error) {
    return run_folder_write(&task->folder, name, text, strlen(text), error);
}

static enum status write_mark(const struct task *task, const char *ending, const char *text,
                              struct error *error) {
    cleanup_free char *name = mem_printf("results/%u.%s", task->number, ending);
    return write_named(task, name, text, error);
}

static char *describe_failure(const struct task *task, enum status status,
                              const struct error *cause) {
    const struct cluster_failure failure = {status == STATUS_INVALID ? STATUS_INVALID
                                                                     : STATUS_ENVIRONMENT,
                                            cause->message, cause->hint, task->node};
    return exchange_write_failure(&failure);
}

static enum status write_failure(const struct task *task, const char *key, enum status status,
                                 const struct error *cause, struct error *error) {
    cleanup_free char *text = describe_failure(task, status, cause);
    cleanup_free char *name = mem_printf("results/%s.failed", key);
    return write_named(task, name, text, error);
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum status read_session(struct task *task, struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    enum status status =
        run_folder_read(&task->folder, "session.json", EXCHANGE_MAX_BYTES, &text, &length, error);
    if (status == STATUS_OK)
        status =
            exchange_read_session(text, length, &task->session, &task->session_document, error);
    if (status == STATUS_OK && strcmp(task->session.tool, WARPGRADE_VERSION) != 0) {
        status = error_set(error, STATUS_ENVIRONMENT,
                           "this node has warpgrade %s, the batch was started by %s",
                           WARPGRADE_VERSION, task->session.tool);
        error_hint(error, "install the same version on all nodes");
    }
    return status;
}

static enum status read_keys(struct task *task, struct error *error) {
    cleanup_free char *name = mem_printf("tasks/%u", task->number);
    cleanup_free char *text = NULL;
    size_t length;
    enum status status =
        run_folder_read(&task->folder, name, EXCHANGE_MAX_BYTES, &text, &length, error);
    return status == STATUS_OK
               ? exchange_read_keys(text, length, &task->keys, &task->key_count, error)
               : status;
}

/* What Slurm has given to this task; where it confines nothing, all processors are visible. */
static size_t processor_count(void) {
    static const char *const names[] = {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"};
    cpu_set_t set;
    long visible = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        const char *text = getenv(names[i]);
        long given = text ? strtol(text, NULL, 10) : 0;
        if (given > 0)
            return (size_t)(given < visible ? given : visible);
    }
    return 1;
}

static enum status open_judges(struct task *task, struct error *error) {
    const struct cluster_session *session = &task->session;
    struct grade_options grade = {.engine = strcmp(session->engine, "sim") == 0 ? GRADE_ENGINE_SIM
                                            : strcmp(session->engine, "cuda") == 0
                                                ? GRADE_ENGINE_CUDA
                                                : GRADE_ENGINE_AUTO,
                                  .has_seed = true,
                                  .seed = session->seed,
                                  .language = session->language,
                                  .device = session->device};
    enum status status =
        judges_open_local(&grade, processor_count(), &task->judge, &task->judges, error);
    if (status == STATUS_OK && grade.engine != GRADE_ENGINE_SIM &&
        grade_card_count(task->judge) == 0) {
        status = error_set(error, STATUS_ENVIRONMENT, "the task was given no GPU that can be used");
        error_hint(error, "ask for one (--gres gpu:1), and try `warpgrade doctor` on the node");
    }
    return status;
}

/* ---- exercises ---------------------------------------------------------------------------- */

static void load_exercise(const struct task *task, struct task_exercise *entry) {
    const struct cluster_session *session = &task->session;
    if (exercise_find(entry->id, &entry->exercise, &entry->error) != STATUS_OK)
        return;
    if (session->has_pass_mark)
        entry->exercise->pass_mark_percent = session->pass_mark;
    if (exercise_version(entry->exercise, session->has_pass_mark ? &session->pass_mark : NULL,
                         session->device, entry->version, &entry->error) != STATUS_OK) {
        exercise_free(entry->exercise);
        entry->exercise = NULL;
    }
}

static struct task_exercise *find_exercise(struct task *task, const char *id) {
    for (size_t i = 0; i < task->exercise_count; i++)
        if (strcmp(task->exercises[i]->id, id) == 0)
            return task->exercises[i];
    struct task_exercise *entry = mem_zalloc(sizeof *entry);
    entry->id = mem_strdup(id);
    load_exercise(task, entry);
    *mem_push(&task->exercises, &task->exercise_count, &task->exercise_capacity) = entry;
    return entry;
}

/* ---- judging ------------------------------------------------------------------------------ */

static enum status check_order(const struct cluster_order *order, const struct task_exercise *entry,
                               const char *text, size_t length, struct error *error) {
    char hex[65];
    struct sha256 hash = hash_bytes(text, length);
    hash_hex(&hash, hex);
    if (strcmp(hex, order->sha256) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "the submission was changed on its way");
    if (!entry->exercise) {
        *error = entry->error;
        return STATUS_ENVIRONMENT;
    }
    if (strcmp(entry->version, order->version) == 0)
        return STATUS_OK;
    error_set(error, STATUS_ENVIRONMENT, "this node has another version of the exercise %s",
              order->exercise);
    error_hint(error, "install the same warpgrade and the same exercises on all nodes");
    return STATUS_ENVIRONMENT;
}

static enum status read_unit(struct task *task, const char *key, struct batch_unit **out,
                             struct error *error) {
    cleanup_free char *source = mem_printf("units/%s.cu", key);
    cleanup_free char *description = mem_printf("units/%s.json", key);
    cleanup_free char *json = NULL;
    cleanup_free char *text = NULL;
    size_t json_length, length;
    struct cluster_order order;
    struct exchange *document = NULL;
    enum status status =
        run_folder_read(&task->folder, description, EXCHANGE_MAX_BYTES, &json, &json_length, error);
    if (status == STATUS_OK)
        status = exchange_read_order(json, json_length, &order, &document, error);
    if (status == STATUS_OK)
        status = run_folder_read(&task->folder, source, SOURCE_MAX_BYTES, &text, &length, error);
    struct task_exercise *entry = status == STATUS_OK ? find_exercise(task, order.exercise) : NULL;
    if (entry)
        status = check_order(&order, entry, text, length, error);
    if (status == STATUS_OK) {
        *out = mem_zalloc(sizeof **out);
        **out = (struct batch_unit){.definition = entry->exercise,
                                    .name = mem_strdup(order.name),
                                    .text = steal_pointer(&text),
                                    .length = length};
    }
    exchange_free(document);
    return status;
}

static enum status give_next(struct task *task, struct error *error) {
    const char *key = task->keys[task->next++];
    struct batch_unit *unit;
    struct error cause = {0};
    if (has_result(task, key))
        return STATUS_OK;
    enum status status = read_unit(task, key, &unit, &cause);
    if (status != STATUS_OK)
        return write_failure(task, key, STATUS_ENVIRONMENT, &cause, error);
    struct task_unit *running =
        mem_push(&task->running, &task->running_count, &task->running_capacity);
    running->unit = unit;
    memcpy(running->key, key, sizeof running->key);
    return task->judges->give(task->judges, unit, error);
}

static enum status write_report(const struct task *task, const char *key,
                                const struct report *report, struct error *error) {
    const struct report_options look = {.verbose = false};
    cleanup_free char *name = mem_printf("results/%s.report", key);
    cleanup_text struct text json = {0};
    enum status status = report_format_find("json")->write(&report, 1, &look, &json, error);
    return status == STATUS_OK
               ? run_folder_write(&task->folder, name, text_string(&json), json.length, error)
               : status;
}

/* Time is what has passed since the last result: submissions are judged side by side. */
static void count_seconds(struct task *task, const struct batch_unit *unit) {
    struct task_exercise *entry = find_exercise(task, unit->definition->id);
    double now = clock_ms();
    entry->seconds += (now - task->last_ms) / 1e3;
    entry->judged++;
    task->last_ms = now;
}

static enum status take_one(struct task *task, struct error *error) {
    enum status status;
    struct batch_unit *unit = task->judges->take(task->judges, WAIT_MS, &status, error);
    if (!unit)
        return status;
    size_t at = 0;
    while (task->running[at].unit != unit)
        at++;
    const struct task_unit done = task->running[at];
    task->running[at] = task->running[--task->running_count];
    count_seconds(task, unit);
    status = unit->status == STATUS_OK
                 ? write_report(task, done.key, unit->report, error)
                 : write_failure(task, done.key, unit->status, &unit->error, error);
    batch_unit_free(unit);
    return status;
}

static enum status judge_all(struct task *task, struct error *error) {
    enum status status = STATUS_OK;
    task->last_ms = clock_ms();
    while (status == STATUS_OK && (task->next < task->key_count || task->judges->waiting > 0)) {
        bool room = task->judges->waiting <= task->judges->width;
        status =
            task->next < task->key_count && room ? give_next(task, error) : take_one(task, error);
    }
    return status;
}

static enum status write_end(const struct task *task, struct error *error) {
    cleanup_free struct cluster_seconds *seconds =
        mem_calloc(task->exercise_count + 1, sizeof *seconds);
    size_t count = 0;
    for (size_t i = 0; i < task->exercise_count; i++) {
        const struct task_exercise *entry = task->exercises[i];
        if (entry->judged == 0 || strlen(entry->id) >= sizeof seconds->exercise)
            continue;
        struct cluster_seconds *out = &seconds[count++];
        snprintf(out->exercise, sizeof out->exercise, "%s", entry->id);
        out->seconds = entry->seconds / (double)entry->judged;
    }
    cleanup_free char *text = exchange_write_seconds(seconds, count);
    return write_mark(task, "ended", text, error);
}

static void close_task(struct task *task) {
    if (task->judges)
        task->judges->close(task->judges);
    grade_close(task->judge);
    for (size_t i = 0; i < task->exercise_count; i++) {
        exercise_free(task->exercises[i]->exercise);
        free(task->exercises[i]->id);
        free(task->exercises[i]);
    }
    exchange_free(task->session_document);
    run_folder_close(&task->folder);
    free(task->exercises);
    free(task->running);
    free(task->keys);
}

enum status cluster_run_task(const char *path, unsigned number, struct error *error) {
    struct task task = {.number = number};
    gethostname(task.node, sizeof task.node - 1);
    const char *name = getenv("SLURMD_NODENAME");
    if (name)
        snprintf(task.node, sizeof task.node, "%s", name);
    enum status status = run_folder_open(path, &task.folder, error);
    if (status != STATUS_OK)
        return status;
    status = write_mark(&task, "started", task.node, error);
    if (status == STATUS_OK)
        status = read_session(&task, error);
    if (status == STATUS_OK)
        status = read_keys(&task, error);
    if (status == STATUS_OK)
        status = open_judges(&task, error);
    if (status != STATUS_OK) {
        cleanup_free char *text = describe_failure(&task, status, error);
        write_mark(&task, "refused", text, NULL);
    } else {
        status = judge_all(&task, error);
        if (status == STATUS_OK)
            status = write_end(&task, error);
    }
    close_task(&task);
    return status;
}
