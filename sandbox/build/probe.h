/* Asking the compiler what is in a submission: constants' values and kernels' signatures, by code
 * that is compiled after it, and the answers' way back out of the PTX. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_PROBE_H
#define WARPGRADE_SANDBOX_BUILD_PROBE_H

#include "sandbox/base/text.h"
#include "sandbox/build/answer.h"

#define PROBE_FILE "<warpgrade>" /* what the epilogue is called in diagnostics */

/* One question a line of the epilogue: the line of a diagnostic tells which question it is about.
 */
struct probe_question {
    bool is_kernel;   /* else a constant */
    size_t index;     /* of the constant, or in the list of kernels asked about */
    const char *name; /* as it is written in the program */
    bool dropped;     /* it does not compile: no longer asked */
};

struct probe {
    struct probe_question *questions;
    size_t count, capacity;
};
void probe_add(struct probe *probe, bool is_kernel, size_t index, const char *name);
void probe_free(struct probe *probe);

/* The program that is compiled: the submission as an include, then the questions. */
void probe_program(const struct probe *probe, const char *file_name, struct text *program);
/* The question of a line of PROBE_FILE, or NULL (the line of the helper, or none). */
struct probe_question *probe_at_line(struct probe *probe, unsigned line);

/* The value of a question about a constant. */
bool probe_constant(const char *ptx, size_t question, int64_t *value);
/* Fills parameters and types_known from the question's answer. */
bool probe_signature(const char *ptx, size_t question, struct build_kernel *kernel);
/* Removes the answers, so that the PTX is the submission's own. */
void probe_strip(struct text *ptx);

/* Appends every .entry of the PTX with its plain name and the widths of its parameters. */
void probe_entries(const char *ptx, struct build_answer *answer);

#endif
