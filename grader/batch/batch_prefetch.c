/* The submissions of several students at once, one a card, so that each card measures one while the
 * others measure others. What the judge says of a submission does not depend on what is judged
 * beside it, and everything is written afterwards, in the roster's order: a machine with four cards
 * gives the files of a machine with one.
 *
 * Without cards, and with one, nothing is judged ahead: the judge fills all processors by itself.
 */
#include "grader/batch/batch_private.h"

#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct job {
    size_t student, exercise;
    const struct repo_file *file;
    struct report *report;
    enum status status;
    struct error error;
};

struct crew {
    const struct batch *batch;
    struct job *jobs;
    size_t count, capacity, next;
    pthread_mutex_t mutex;
};

static void *work(void *argument) {
    struct crew *crew = argument;
    for (;;) {
        pthread_mutex_lock(&crew->mutex);
        struct job *job = crew->next < crew->count ? &crew->jobs[crew->next++] : NULL;
        pthread_mutex_unlock(&crew->mutex);
        if (!job)
            return NULL;
        job->status = batch_judge(crew->batch, job->student, job->exercise, job->file, &job->report,
                                  &job->error);
    }
}

static void run_crew(struct crew *crew, size_t width) {
    pthread_t threads[BATCH_MAX_WIDTH];
    size_t made = 0;
    while (made + 1 < width && pthread_create(&threads[made], NULL, work, crew) == 0)
        made++;
    work(crew);
    for (size_t i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
}

size_t batch_width(const struct batch *batch) {
    size_t cards = grade_card_count(batch->session);
    return cards < 1 ? 1 : cards > BATCH_MAX_WIDTH ? BATCH_MAX_WIDTH : cards;
}

enum status batch_judge_prefetch(struct batch *batch, const struct batch_fetched *group,
                                 size_t count, struct error *error) {
    struct crew crew = {.batch = batch, .mutex = PTHREAD_MUTEX_INITIALIZER};
    for (size_t i = 0; i < count; i++)
        for (size_t e = 0; e < group[i].snapshot.file_count; e++)
            if (group[i].status == STATUS_OK && group[i].snapshot.files[e].state == REPO_FILE_FOUND)
                *mem_push(&crew.jobs, &crew.count, &crew.capacity) =
                    (struct job){.student = group[i].student,
                                 .exercise = e,
                                 .file = &group[i].snapshot.files[e]};
    run_crew(&crew, batch_width(batch));
    enum status status = STATUS_OK;
    for (size_t i = 0; i < crew.count; i++) {
        struct job *job = &crew.jobs[i];
        batch->prefetch[job->student * batch->course->exercise_count + job->exercise] = job->report;
        if (job->status != STATUS_OK && status == STATUS_OK) {
            status = job->status;
            if (error)
                *error = job->error;
        }
    }
    free(crew.jobs);
    return status;
}
