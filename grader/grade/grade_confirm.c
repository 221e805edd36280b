/* What the simulated GPU found right, once more on the card that will measure it (--engine auto).
 *
 * A kernel can tell where it runs: __CUDA_ARCH__, %smid and the clocks are other ones on a card.
 * One that is right on the simulated GPU, and on the card leaves out whatever the measured sizes do
 * not need, would be paid for both. So a case passes only where both engines say so, and what is
 * measured has computed every case on the card that measures it. What only the simulated GPU sees
 * (races, barriers, uninitialised memory) it sees in the code that it was given.
 *
 * Expected results are those that the simulated GPU's reference gave: one oracle, two judges. */
#include "grader/grade/grade_private.h"

#include "grader/judge/judge.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

/* The same case, not judged yet. */
static struct report_case unjudged(const struct report_case *the_case) {
    return (struct report_case){.name = the_case->name,
                                .group = the_case->group,
                                .essential = the_case->essential,
                                .sizes = the_case->sizes,
                                .size_count = the_case->size_count};
}

static size_t find_passed(const struct report_case *cases, size_t count, size_t *indices) {
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i].verdict == VERDICT_PASS)
            indices[passed++] = i;
    return passed;
}

/* Code that only the card's compiler gets to see is compiled here for the first time. */
static void refuse_all(const struct grade_run *run, const char *message, const char *card,
                       struct report_case *cases, const size_t *indices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct report_case found = unjudged(&cases[indices[i]]);
        judge_unlaunched(run->exercise, run->session->options.language, VERDICT_COMPILE_ERROR,
                         message, false, &found);
        judge_on_card(card, run->session->options.language, &found, &cases[indices[i]]);
    }
}

/* What a card cannot run by a worker is left to the simulated GPU. */
static void join(const struct grade_run *run, const char *card, struct report_case *found,
                 struct report_case *the_case) {
    if (run->program_card && judge_is_undecided(found))
        judge_reset(found);
    else
        judge_on_card(card, run->session->options.language, found, the_case);
}

static enum status run_all(struct grade_run *run, const char *card, struct report_case *cases,
                           const size_t *indices, size_t count, struct error *error) {
    struct report_case *found = mem_calloc(run->plan->case_count, sizeof *found);
    for (size_t i = 0; i < count; i++)
        found[indices[i]] = unjudged(&cases[indices[i]]);
    enum status status = grade_pool_run(run, found, indices, count, error);
    for (size_t i = 0; i < count; i++)
        if (status == STATUS_OK)
            join(run, card, &found[indices[i]], &cases[indices[i]]);
        else
            judge_reset(&found[indices[i]]);
    free(found);
    return status;
}

enum status grade_confirm(const struct grade_run *run, const struct grade_source *source,
                          struct report_case *cases, size_t count, bool *ran, struct error *error) {
    const struct grade_session *session = run->session;
    const struct cuda_card *card = &session->cards[run->card];
    char architecture[32];
    size_t *indices = mem_calloc(count + 1, sizeof *indices);
    cleanup_free void *owned = indices;
    size_t passed = find_passed(cases, count, indices);
    *ran = passed != 0;
    if (!passed)
        return STATUS_OK;
    struct grade_kernel kernel;
    cuda_card_architecture(card, architecture, sizeof architecture);
    enum status status = grade_build_for(run->exercise, source, architecture,
                                         run->session->options.language, &kernel, error);
    if (status != STATUS_OK)
        return status;
    if (kernel.message) {
        refuse_all(run, kernel.message, card->name, cases, indices, passed);
    } else {
        struct grade_run on_card = *run;
        on_card.kernel = &kernel;
        on_card.gpu = grade_gpu_new(card, 1, 1, false);
        status = run_all(&on_card, card->name, cases, indices, passed, error);
        grade_gpu_free(on_card.gpu);
    }
    grade_kernel_free(&kernel);
    return status;
}

/* Its machine code is made when it runs. */
enum status grade_confirm_program(const struct grade_run *run, struct report_case *cases,
                                  size_t count, bool *ran, struct error *error) {
    const struct cuda_card *card = &run->session->cards[run->card];
    cleanup_free size_t *indices = mem_calloc(count + 1, sizeof *indices);
    size_t passed = find_passed(cases, count, indices);
    struct grade_run on_card = *run;
    *ran = passed != 0;
    on_card.program_card = card;
    return passed ? run_all(&on_card, card->name, cases, indices, passed, error) : STATUS_OK;
}
