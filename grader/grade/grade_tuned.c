/* The tuned kernel of an exercise, launched as a submission is in the speed case: all of it for
 * what it computes, and on the simulated device for what that costs.
 *
 * A session does it once. Other submissions wait while one thread does, but no longer than they
 * must: what the whole launch says is there to be used while the device is still simulated. What
 * has failed is tried again by the next caller. */
#include "grader/grade/grade_tuned.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 20 };

/* What follows the stage that it has reached: no other thread knows of it. */
static void forget_unfinished(struct grade_tuned *tuned) {
    for (unsigned i = 0; i < SCALE_COUNT; i++)
        if (tuned->stage < TUNED_PROFILED && tuned->known[i]) {
            engine_result_free(&tuned->results[i]);
            tuned->known[i] = false;
        }
    if (tuned->stage >= TUNED_WHOLE)
        return;
    plan_launch_free(&tuned->launch);
    free(tuned->data);
    tuned->data = NULL;
}

void grade_tuned_free(struct grade_tuned *list) {
    while (list) {
        struct grade_tuned *next = list->next;
        list->stage = TUNED_NOTHING;
        forget_unfinished(list);
        free(list->directory);
        free(list);
        list = next;
    }
}

__attribute__((format(printf, 3, 4))) static enum status
fail_tuned(const struct exercise *exercise, struct error *error, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    enum status status =
        error_set(error, STATUS_INVALID, "the tuned kernel of %s cannot be profiled: %s",
                  exercise->id, message);
    error_place(error, exercise->tuned.file, 0, 0, NULL, 0);
    return status;
}

static void reach(struct grade_session *session, struct grade_tuned *tuned,
                  enum tuned_stage stage) {
    pthread_mutex_lock(&session->tuned_mutex);
    tuned->stage = stage;
    pthread_cond_broadcast(&session->tuned_changed);
    pthread_mutex_unlock(&session->tuned_mutex);
}

static enum status launch_whole(const struct grade_run *run, struct grade_tuned *tuned,
                                struct error *error) {
    struct engine_result whole;
    tuned->data = grade_fill(run, &tuned->launch, 0);
    enum status status = grade_whole(run, &tuned->launch, 0, tuned->data, &whole, error);
    if (status != STATUS_OK)
        return status;
    tuned->counters = whole.counters;
    tuned->large = grade_has_large(run->exercise) && !whole.blocks_communicate;
    if (whole.end != ENGINE_COMPLETED || whole.hazard_count)
        status = fail_tuned(run->exercise, error, "%s",
                            whole.hazard_count ? whole.hazards[0].message : whole.message);
    engine_result_free(&whole);
    return status;
}

static enum status check_small(const struct grade_run *run, const struct grade_device *device,
                               const struct engine_result *result, struct error *error) {
    if (result->end != ENGINE_COMPLETED)
        return fail_tuned(run->exercise, error, "%s", result->message);
    if (result->hazard_count)
        return fail_tuned(run->exercise, error, "%s", result->hazards[0].message);
    if (!result->profile.occupancy.blocks_per_sm)
        return fail_tuned(run->exercise, error, "a block has no room on an SM of %s",
                          device->profile->name);
    return STATUS_OK;
}

/* At the sizes of the case, where it must not fail. */
static enum status launch_small(const struct grade_run *run, const struct grade_device *device,
                                struct grade_tuned *tuned, struct error *error) {
    struct engine_result *result = &tuned->results[SCALE_CASE];
    cleanup_free void *data = grade_fill(run, &tuned->launch, 0);
    enum status status = grade_profile(run, &tuned->launch, device, data, result, error);
    if (status != STATUS_OK)
        return status;
    status = check_small(run, device, result, error);
    tuned->known[SCALE_CASE] = status == STATUS_OK;
    if (status != STATUS_OK)
        engine_result_free(result);
    return status;
}

static enum status launch_on_device(const struct grade_run *run, const struct grade_source *source,
                                    const struct device_profile *device, enum tuned_stage stage,
                                    struct grade_tuned *tuned, struct error *error) {
    struct grade_device target = {.profile = device, .sample_budget = run->exercise->speed_sample};
    struct grade_assembly assembly;
    enum status status = grade_speed_registers(run, source, device, &assembly, error);
    if (status == STATUS_OK && assembly.refusal)
        return fail_tuned(run->exercise, error, "%s", assembly.refusal);
    target.registers = tuned->registers = assembly.registers;
    target.arrays_in_registers = assembly.arrays_in_registers;
    if (status == STATUS_OK && tuned->large && !tuned->known[SCALE_CARD]) {
        struct grade_large large;
        status = grade_device_large(run, &target, &large, error);
        tuned->known[SCALE_CARD] = large.known;
        tuned->results[SCALE_CARD] = large.result;
    }
    if (status == STATUS_OK && (stage == TUNED_AT_BOTH || !tuned->known[SCALE_CARD]))
        status = launch_small(run, &target, tuned, error);
    return status;
}

/* The run is one of the exercise as if it had the tuned kernel's launch. */
static enum status launch_tuned(const struct grade_run *run, const struct grade_source *source,
                                const struct device_profile *device, enum tuned_stage stage,
                                struct grade_tuned *tuned, struct error *error) {
    struct error cause = {0};
    if (run->kernel->message)
        return fail_tuned(run->exercise, error, "%s", run->kernel->message);
    if (tuned->stage < TUNED_WHOLE) {
        if (grade_bind(run, 0, &tuned->launch, &cause) != STATUS_OK)
            return fail_tuned(run->exercise, error, "%s", cause.message);
        enum status status = launch_whole(run, tuned, error);
        if (status != STATUS_OK)
            return status;
        reach(run->session, tuned, TUNED_WHOLE);
    }
    return launch_on_device(run, source, device, stage, tuned, error);
}

static enum status profile_tuned(struct grade_session *session, const struct exercise *exercise,
                                 const struct device_profile *device, enum tuned_stage stage,
                                 struct grade_tuned *tuned, struct error *error) {
    struct exercise as_tuned = *exercise;
    as_tuned.launch = exercise->tuned.launch;
    as_tuned.kernel = exercise->tuned.kernel;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = exercise->tuned.file};
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, error);
    if (status != STATUS_OK)
        return status;
    source.text = text;
    struct grade_kernel kernel;
    struct plan *plan;
    status = plan_make(&as_tuned, session->seed, case_group_names[GROUP_SPEED], &plan, error);
    if (status != STATUS_OK)
        return status;
    status = grade_build(&as_tuned, &source, &kernel, error);
    if (status == STATUS_OK) {
        struct grade_run run = {.session = session,
                                .exercise = &as_tuned,
                                .plan = plan,
                                .kernel = &kernel,
                                .file_name = file_base_name(source.file)};
        status = launch_tuned(&run, &source, device, stage, tuned, error);
        grade_kernel_free(&kernel);
    }
    plan_free(plan);
    return status;
}

/* Session locked. */
static struct grade_tuned *find_entry(struct grade_session *session,
                                      const struct exercise *exercise) {
    struct grade_tuned *entry = session->tuned;
    while (entry && strcmp(entry->directory, exercise->directory) != 0)
        entry = entry->next;
    if (entry)
        return entry;
    entry = mem_zalloc(sizeof *entry);
    entry->directory = mem_strdup(exercise->directory);
    entry->next = session->tuned;
    session->tuned = entry;
    return entry;
}

/* True where it is for the caller to go on with; else so much of it is there. */
static bool claim(struct grade_session *session, const struct exercise *exercise,
                  enum tuned_stage stage, struct grade_tuned **tuned) {
    pthread_mutex_lock(&session->tuned_mutex);
    *tuned = find_entry(session, exercise);
    while ((*tuned)->busy && (*tuned)->stage < stage)
        pthread_cond_wait(&session->tuned_changed, &session->tuned_mutex);
    bool ours = (*tuned)->stage < stage;
    if (ours)
        (*tuned)->busy = true;
    pthread_mutex_unlock(&session->tuned_mutex);
    return ours;
}

enum status grade_tuned_ask(struct grade_session *session, const struct exercise *exercise,
                            const struct device_profile *device, enum tuned_stage stage,
                            const struct grade_tuned **out, struct error *error) {
    struct grade_tuned *tuned;
    bool ours = claim(session, exercise, stage, &tuned);
    *out = tuned;
    if (!ours)
        return STATUS_OK;
    enum status status = profile_tuned(session, exercise, device, stage, tuned, error);
    pthread_mutex_lock(&session->tuned_mutex);
    tuned->busy = false;
    if (status == STATUS_OK)
        tuned->stage = tuned->known[SCALE_CASE] ? TUNED_AT_BOTH : TUNED_PROFILED;
    forget_unfinished(tuned);
    pthread_cond_broadcast(&session->tuned_changed);
    pthread_mutex_unlock(&session->tuned_mutex);
    return status;
}
