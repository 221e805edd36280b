/* Inside the judge's flow: what the speed case will want, begun on threads of their own where there
 * may be a processor to spare. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_AHEAD_H
#define WARPGRADE_GRADER_GRADE_GRADE_AHEAD_H

#include "grader/grade/grade_device.h"

/* The submission's registers, and, once its cases are judged, the tuned kernel's profile. NULL
 * where nothing is begun. To be ended after grade_speed(), before the run and the source are. */
struct grade_ahead;
struct grade_ahead *grade_ahead_registers(const struct grade_run *run,
                                          const struct grade_source *source);
struct grade_ahead *grade_ahead_tuned(const struct grade_run *run, const struct report_case *cases);
void grade_ahead_end(struct grade_ahead *ahead);

/* grade_device_large() of the submission while all of it runs at the sizes of the case. Nothing is
 * begun where its blocks depend on each other. */
struct grade_ahead_large;
struct grade_ahead_large *grade_ahead_large_begin(const struct grade_run *run,
                                                  const struct grade_device *device);
/* Waits for it; what grade_device_large() gives, which is called where nothing was begun (NULL). */
enum status grade_ahead_large_take(struct grade_ahead_large *ahead, const struct grade_run *run,
                                   const struct grade_device *device, struct grade_large *large,
                                   struct error *error);
/* Before the run ends. What nobody took is dropped. */
void grade_ahead_large_end(struct grade_ahead_large *ahead);

#endif
