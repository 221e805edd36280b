/* Inside the judge's flow: the exercise's tuned kernel at the size of the speed case. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_TUNED_H
#define WARPGRADE_GRADER_GRADE_GRADE_TUNED_H

#include "grader/grade/grade_device.h"

/* How much of it is known; each includes what stands before it. */
enum tuned_stage {
    TUNED_NOTHING,
    TUNED_WHOLE,    /* launch, data and instructions: what the whole launch does */
    TUNED_PROFILED, /* registers, and a result: what it costs on the device, at the sizes that a
                       card is measured at where that can be known, else at those of the case */
    TUNED_AT_BOTH,  /* the result at the sizes of the case as well */
};

/* Once a session for each exercise: all submissions are compared with the same launch. */
struct grade_tuned {
    char *directory; /* of the exercise */
    bool busy;       /* a thread is working on it */
    enum tuned_stage stage;
    bool known[SCALE_COUNT];
    struct engine_result results[SCALE_COUNT]; /* those that are known */
    unsigned registers;
    struct counters counters; /* of the whole launch */
    bool large;               /* it can be asked for at SCALE_CARD */
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
