/* Inside the judge's flow: submissions with host code, a function or a whole program. They are
 * built by nvcc and run in a jail of their own beside the simulated card; what follows, from the
 * reference's answers to the score, is as for kernels. Private to grade*.c. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_PROGRAM_H
#define WARPGRADE_GRADER_GRADE_GRADE_PROGRAM_H

#include "grader/grade/grade_private.h"

/* Compiles the submission, with a driver where it is a function, into a file of its own. As
 * grade_build_for(). */
enum status grade_program_build(const struct exercise *exercise, const struct grade_source *source,
                                enum language language, struct grade_kernel *kernel,
                                struct error *error);

/* Runs it on the launch's data, which holds its results afterwards; the launch's kernel does not
 * matter. The modelled time of all that it did is in result->profile.estimate.ms; of a run that is
 * timed, how long the card was busy, and how long its worker waited in result->elapsed_ms. */
enum status grade_program_run(const struct grade_run *run, const struct engine_launch *launch,
                              const struct worker_limits *limits, struct engine_result *result,
                              struct error *error);

/* The stages after the build: cases, as the session's engine has it on a card, too (*confirmed:
 * there was one), then speed. */
enum status grade_program_cases(struct grade_run *run, struct report_case *cases, size_t checked,
                                bool *confirmed, struct error *error);

/* Builds the tuned solution; STATUS_INVALID where it cannot be. Free *kernel in any case. */
enum status grade_program_build_tuned(const struct grade_run *run, struct grade_kernel *kernel,
                                      struct error *error);
enum status grade_program_tuned_failed(const struct grade_run *run, const char *why,
                                       struct error *error);

struct grade_measured;
/* grade_program_measure.c: as grade_measure(). *measured->report is not present where a card's
 * worker cannot run the program: then only the simulated GPU can say something. */
enum status grade_program_measure(const struct grade_run *run, const struct cuda_card *card,
                                  struct grade_measured *measured, struct report_case *the_case,
                                  bool *right, struct error *error);

/* Runs and judges the speed case, where the plan has one, beside the tuned solution: what the
 * session simulates and, where it has a card, what that says. */
enum status grade_program_speed(const struct grade_run *run, struct report_case *cases,
                                struct error *error);
void grade_program_tuned_free(struct grade_program_tuned *list);

/* grade_program_text.c: what a program reads: caller frees. */
char *grade_program_input(const struct exercise *exercise, const struct engine_launch *launch);
/* "{n}" of an argument as its value. */
char *grade_program_word(const struct exercise *exercise, const char *word,
                         const struct engine_launch *launch);
/* The numbers of what it printed, into the launch's data. Where some are missing, left over or not
 * what kernels computed (`computed` is card_task_result's), false with a sentence. */
bool grade_program_read(const struct exercise *exercise, const struct text *printed,
                        const struct text *computed, enum language language,
                        const struct engine_launch *launch, char *message, size_t size);

#endif
