/* Cases on real cards: a launch of the engine's door, run by whichever card is free.
 *
 * A submission has workers of its own, one a card, and references have others, so that nothing of a
 * submission ever shares a context with what it is compared with. While a case runs its card is
 * held together with others; who measures holds it alone (sandbox/cuda/lock.h), and waits or is
 * waited for. The result does not depend on the number of cards: each launch is whole on one card,
 * and all cards here execute the same machine code. */
#include "grader/grade/grade_gpu.h"

#include "sandbox/base/memory.h"
#include "sandbox/cuda/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct lane {
    const struct cuda_card *card;
    struct cuda_session *session; /* NULL: not yet, or lost */
    bool busy;
};

struct grade_gpu {
    bool trusted;
    pthread_mutex_t mutex;
    pthread_cond_t freed;
    struct lane *lanes;
    size_t count;
    uint64_t launches; /* each has other addresses */
};

struct grade_gpu *grade_gpu_new(const struct cuda_card *cards, size_t count, size_t each,
                                bool trusted) {
    struct grade_gpu *gpu = mem_zalloc(sizeof *gpu);
    gpu->trusted = trusted;
    gpu->lanes = mem_calloc(count * each + 1, sizeof *gpu->lanes);
    for (size_t i = 0; i < count * each; i++) /* another card before another worker of one */
        if (cards[i % count].major == cards[0].major && cards[i % count].minor == cards[0].minor)
            gpu->lanes[gpu->count++].card = &cards[i % count];
    pthread_mutex_init(&gpu->mutex, NULL);
    pthread_cond_init(&gpu->freed, NULL);
    return gpu;
}

void grade_gpu_free(struct grade_gpu *gpu) {
    if (!gpu)
        return;
    for (size_t i = 0; i < gpu->count; i++)
        cuda_session_close(gpu->lanes[i].session);
    pthread_cond_destroy(&gpu->freed);
    pthread_mutex_destroy(&gpu->mutex);
    free(gpu->lanes);
    free(gpu);
}

/* ---- one launch ------------------------------------------------------------------------------ */

/* One that has a worker before one that would have to start one. */
static struct lane *find_free(struct grade_gpu *gpu) {
    struct lane *found = NULL;
    for (size_t i = 0; i < gpu->count; i++)
        if (!gpu->lanes[i].busy && (!found || (!found->session && gpu->lanes[i].session)))
            found = &gpu->lanes[i];
    return found;
}

static struct lane *take_lane(struct grade_gpu *gpu, uint64_t *launch) {
    struct lane *lane;
    pthread_mutex_lock(&gpu->mutex);
    while (!(lane = find_free(gpu)))
        pthread_cond_wait(&gpu->freed, &gpu->mutex);
    lane->busy = true;
    *launch = ++gpu->launches;
    pthread_mutex_unlock(&gpu->mutex);
    return lane;
}

static void give_lane(struct grade_gpu *gpu, struct lane *lane) {
    pthread_mutex_lock(&gpu->mutex);
    lane->busy = false;
    pthread_cond_signal(&gpu->freed);
    pthread_mutex_unlock(&gpu->mutex);
}

static enum status run_on(struct lane *lane, bool trusted, const struct cuda_launch *launch,
                          struct cuda_result *result, struct error *error) {
    int lock;
    enum status status = cuda_lock_take(lane->card, false, &lock, error);
    if (status != STATUS_OK)
        return status;
    if (lane->session && !cuda_session_is_alive(lane->session)) {
        cuda_session_close(lane->session);
        lane->session = NULL;
    }
    if (!lane->session)
        status = cuda_session_open(lane->card, trusted ? CUDA_TRUSTED : CUDA_UNTRUSTED,
                                   &lane->session, error);
    if (status == STATUS_OK)
        status = cuda_session_run(lane->session, launch, result, error);
    cuda_lock_release(&lock);
    return status;
}

enum status grade_gpu_run(struct grade_gpu *gpu, const struct engine_launch *launch,
                          const struct build_result *build, const struct worker_limits *limits,
                          struct engine_result *result, struct error *error) {
    struct cuda_launch on_card = {.image = build->cubin,
                                  .image_length = build->cubin_length,
                                  .kernel = launch->kernel,
                                  .grid = launch->grid,
                                  .block = launch->block,
                                  .shared_bytes = launch->shared_bytes,
                                  .arguments = launch->arguments,
                                  .argument_count = launch->argument_count,
                                  .data = launch->data,
                                  .data_length = launch->data_length,
                                  .wall_seconds = worker_limits_resolve(limits).wall_seconds};
    struct cuda_result card = {.hazard_count = 0};
    *result = (struct engine_result){0};
    struct lane *lane = take_lane(gpu, &on_card.placement);
    enum status status = run_on(lane, gpu->trusted, &on_card, &card, error);
    give_lane(gpu, lane);
    if (status == STATUS_OK)
        grade_gpu_translate(&card, result);
    cuda_result_free(&card);
    return status;
}

enum status grade_gpu_reference(void *gpu, const struct engine_launch *launch,
                                const struct build_result *build,
                                const struct worker_limits *limits, struct engine_result *result,
                                struct error *error) {
    return grade_gpu_run(gpu, launch, build, limits, result, error);
}

/* ---- in the judge's terms -------------------------------------------------------------------- */

void grade_gpu_translate(struct cuda_result *card, struct engine_result *result) {
    static const enum engine_end ends[CUDA_END_COUNT] = {
        [CUDA_COMPLETED] = ENGINE_COMPLETED, [CUDA_REFUSED] = ENGINE_CRASHED,
        [CUDA_FAULT] = ENGINE_CRASHED,       [CUDA_HUNG] = ENGINE_TIME_LIMIT,
        [CUDA_DIED] = ENGINE_CRASHED,        [CUDA_MEMORY] = ENGINE_MEMORY_LIMIT,
    };
    *result = (struct engine_result){.end = ends[card->end],
                                     .elapsed_ms = card->dialog_ms,
                                     .printed = card->printed,
                                     .printed_cut = card->printed_cut};
    card->printed = (struct text){0};
    snprintf(result->message, sizeof result->message, "%s", card->message);
    /* What a kernel did to end so decides the verdict, as on the simulated GPU. */
    if (card->hazard_count)
        result->end = ENGINE_COMPLETED;
    result->hazard_count = card->hazard_count;
    result->hazards = mem_calloc(card->hazard_count + 1, sizeof *result->hazards);
    memcpy(result->hazards, card->hazards, card->hazard_count * sizeof *card->hazards);
}
