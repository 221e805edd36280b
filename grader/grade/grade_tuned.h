/* Inside the judge's flow: the exercise's tuned kernel at the size of the speed case. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_TUNED_H
#define WARPGRADE_GRADER_GRADE_GRADE_TUNED_H

#include "grader/grade/grade_private.h"

/* How much of it is known; each includes what stands before it. */
enum tuned_stage {
    TUNED_NOTHING,
    TUNED_WHOLE,    /* launch, data and instructions: what the whole launch does */
    TUNED_PROFILED, /* registers and result: what it costs on the device */
};

/* Once a session for each exercise: all submissions are compared with the same launch. */
struct grade_tuned {
    char *directory; /* of the exercise */
    bool busy;       /* a thread is working on it */
    enum tuned_stage stage;
    struct engine_result result;
    unsigned registers;
    uint64_t instructions; /* of all threads of the whole launch */
    struct plan_launch launch;
    void *data; /* after the whole launch */
    struct grade_tuned *next;
};

/* Waits until this much is known, and finds it out where no other thread does. *out is the
 * session's. */
enum status grade_tuned_ask(struct grade_session *session, const struct exercise *exercise,
                            const struct device_profile *device, enum tuned_stage stage,
                            const struct grade_tuned **out, struct error *error);

#endif
