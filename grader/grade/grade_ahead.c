/* What the speed case will want, ahead of its use; see grade_ahead.h.
 *
 * The workers of a speed case take most of the time of a grade, and most of what one of them does
 * runs on one thread. Those that do not need each other's results therefore run side by side: the
 * tuned kernel while the cases are looked at, the sample at a card's sizes while the whole launch
 * at the sizes of the case runs. What they give does not depend on when they run. */
#include "grader/grade/grade_ahead.h"

#include "grader/grade/grade_tuned.h"
#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct grade_ahead {
    pthread_t thread;
    const struct grade_run *run;
    const struct grade_source *source;
};

static bool has_thread_to_spare(const struct grade_run *run) {
    return run->session->options.jobs >= 2 && run->session->simulates;
}

/* Errors of what is done ahead are reported when grade_speed() meets them again. */
static void *find_registers(void *argument) {
    const struct grade_ahead *ahead = argument;
    struct grade_assembly assembly;
    struct device_profile device;
    if (grade_device_of(ahead->run->session, ahead->run->exercise, &device, NULL) == STATUS_OK)
        grade_speed_registers(ahead->run, ahead->source, &device, &assembly, NULL);
    return NULL;
}

static void *profile_tuned(void *argument) {
    const struct grade_ahead *ahead = argument;
    const struct grade_tuned *tuned;
    struct device_profile device;
    const struct grade_run *run = ahead->run;
    if (grade_device_of(run->session, run->exercise, &device, NULL) == STATUS_OK)
        grade_tuned_ask(run->session, run->exercise, &device, TUNED_PROFILED, &tuned, NULL);
    return NULL;
}

static struct grade_ahead *begin(void *(*work)(void *), const struct grade_run *run,
                                 const struct grade_source *source) {
    if (!has_thread_to_spare(run))
        return NULL;
    struct grade_ahead *ahead = mem_zalloc(sizeof *ahead);
    ahead->run = run;
    ahead->source = source;
    if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

struct grade_ahead *grade_ahead_registers(const struct grade_run *run,
                                          const struct grade_source *source) {
    return grade_has_speed_case(run->plan) ? begin(find_registers, run, source) : NULL;
}

struct grade_ahead *grade_ahead_tuned(const struct grade_run *run,
                                      const struct report_case *cases) {
    return grade_speed_counts(run->plan, cases) ? begin(profile_tuned, run, NULL) : NULL;
}

void grade_ahead_end(struct grade_ahead *ahead) {
    if (ahead)
        pthread_join(ahead->thread, NULL);
    free(ahead);
}

/* ---- the sample at a card's sizes ------------------------------------------------------------ */

struct grade_ahead_large {
    pthread_t thread;
    const struct grade_run *run;
    struct grade_device device;
    struct grade_large large;
    enum status status;
    struct error error;
    bool joined, taken;
};

static void *launch_large(void *argument) {
    struct grade_ahead_large *ahead = argument;
    ahead->status = grade_device_large(ahead->run, &ahead->device, &ahead->large, &ahead->error);
    return NULL;
}

struct grade_ahead_large *grade_ahead_large_begin(const struct grade_run *run,
                                                  const struct grade_device *device) {
    bool depend = run->communicates && atomic_load(run->communicates);
    if (!has_thread_to_spare(run) || depend)
        return NULL;
    struct grade_ahead_large *ahead = mem_zalloc(sizeof *ahead);
    ahead->run = run;
    ahead->device = *device;
    if (pthread_create(&ahead->thread, NULL, launch_large, ahead) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

static void join_large(struct grade_ahead_large *ahead) {
    if (!ahead->joined)
        pthread_join(ahead->thread, NULL);
    ahead->joined = true;
}

enum status grade_ahead_large_take(struct grade_ahead_large *ahead, const struct grade_run *run,
                                   const struct grade_device *device, struct grade_large *large,
                                   struct error *error) {
    if (!ahead)
        return grade_device_large(run, device, large, error);
    join_large(ahead);
    ahead->taken = true;
    *large = ahead->large;
    if (ahead->status != STATUS_OK && error)
        *error = ahead->error;
    return ahead->status;
}

void grade_ahead_large_end(struct grade_ahead_large *ahead) {
    if (!ahead)
        return;
    join_large(ahead);
    if (ahead->large.known && !ahead->taken)
        engine_result_free(&ahead->large.result);
    free(ahead);
}
