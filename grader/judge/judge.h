/* The verdict on one case: a pure function of what went into a launch, what came out and what
 * should have come out. Runs nothing.
 *
 * The decision, in this order; the first that applies is the verdict:
 *  1. the worker's end: refused (skipped, because no engine here decides it), died (internal error:
 *     the engine is ours), time, memory and output limits;
 *  2. fatal hazards, whatever the exercise's checks say: an unsupported instruction (skipped), the
 *     instruction budget (time limit), a trap or a stack overflow (crash);
 *     of a program with host code, after its hazards: how its process ended (crash), and results
 *     that are not the kernels' (wrong answer);
 *  3. the other hazards that are errors: hazard. The exercise's `checks` decide what is an error, a
 *     warning or nothing, also where the engine itself only warns (threads that left before a
 *     barrier): a course may be stricter than the newest hardware. Of a race where both write the
 *     same value `same-value-race` decides: a warning, unless the exercise says otherwise;
 *  4. an input buffer that is not what it was before the launch: wrong answer;
 *  5. the first output, in the exercise's order, with a wrong element: wrong answer;
 *  6. pass.
 *
 * A case may be launched again: under other schedules, whose results and hazards count like those
 * of the first, and in an unoptimised build, whose hazards alone count. */
#ifndef WARPGRADE_GRADER_JUDGE_JUDGE_H
#define WARPGRADE_GRADER_JUDGE_JUDGE_H

#include "grader/cases/plan.h"
#include "grader/exercise/exercise.h"
#include "reports/report.h"

struct judge_evidence {
    const struct exercise *exercise;
    const struct plan_launch *launch;   /* the submission's */
    const struct engine_result *result; /* what the engine says of it */
    const void *before, *after;         /* its data area */
    const void
        *again; /* and after the same launch over plan_other_poison(); NULL: there was none */
    const struct plan_launch *reference_launch;
    const void *expected; /* the reference's data area, after its launch */
    enum language language;
    const struct hazard *refuted; /* races that are none, see judge_refutes() */
    size_t refuted_count;
};

/* Fills verdict, message, hint, difference, tolerance, hazards, counters and printed of a zeroed
 * (but for name, group and sizes) case. */
void judge_case(const struct judge_evidence *evidence, struct report_case *the_case);

/* The same for a launch of the speed case, without its outputs, at which speed_check.h looks: true
 * where it ended well and its verdict is judge_speed's. */
bool judge_profiled(const struct judge_evidence *evidence, struct report_case *the_case);
/* True where a wrong element of the output that judge_case would name holds the poison: whether it
 * was written takes evidence->again to say. */
bool judge_asks_again(const struct judge_evidence *evidence);
/* Concludes a speed case with its thresholds' verdict; takes the message. */
void judge_speed(const struct exercise *exercise, enum language language, enum verdict verdict,
                 char *message, struct report_case *the_case);

/* Joins what another schedule of the same launch showed to a case that judge_case has judged. Where
 * one result is right and the other is wrong, the verdict is nondeterministic and the difference
 * that of the wrong one; hazards, limits and crashes of the other schedule are the case's, too. */
void judge_other_schedule(const struct judge_evidence *evidence, struct report_case *the_case);
/* The same of the module's second launch, on fresh buffers, of a case that the first one passed: a
 * result that is wrong now, or a hazard, is the case's. */
void judge_second_launch(const struct judge_evidence *evidence, struct report_case *the_case);

/* Joins what an unoptimised build of the same kernel showed in the same launch: races and accesses
 * that no kernel may make. How that launch ended and what it gave say nothing. */
void judge_unoptimised(const struct judge_evidence *evidence, struct report_case *the_case);

/* True where the case failed by nothing but races with plain loads. A compiler may load ahead of
 * the branch that guards the load, and does not use the value where the branch goes the other way:
 * such a race counts only where an unoptimised build, which loads what the source says, shows one,
 * too.
 */
bool judge_is_perhaps_speculated(const struct report_case *the_case);
/* True where the same launch of an unoptimised build showed no race and came to its end. */
bool judge_refutes(const struct engine_result *unoptimised);

/* Joins what a card made of a case that passed on the simulated GPU: passes only where it passed
 * there, too. `card` is its name; `found` has the case's name, group and sizes, and its contents
 * become the case's or are freed. */
void judge_on_card(const char *card, enum language language, struct report_case *found,
                   struct report_case *the_case);

/* True where nothing but its result was found wrong with a case, so that it is worth looking for
 * hazards by other means. */
bool judge_is_clean(const struct report_case *the_case);

/* Takes back what was judged of a case, leaving its name, group and sizes. */
void judge_reset(struct report_case *the_case);

/* A case that was not launched, or could not be: verdict and message, and for a launch that no
 * device accepts the hazard invalid-launch. */
void judge_unlaunched(const struct exercise *exercise, enum language language, enum verdict verdict,
                      const char *message, bool invalid_launch, struct report_case *the_case);

/* "[17, 3]" for element 88 of a buffer of shape [18, 5]; "" where a vector has one element: its
 * name is enough. Caller frees. */
char *judge_index_text(const struct engine_argument *argument, uint64_t flat_index);

/* True where the case failed because nothing here can execute the kernel. */
bool judge_is_undecided(const struct report_case *the_case);

#endif
