/* From what a worker says of a launch to a result, in words. Private to the room; a pure function
 * of its arguments. */
#ifndef WARPGRADE_SANDBOX_CUDA_OUTCOME_H
#define WARPGRADE_SANDBOX_CUDA_OUTCOME_H

#include "sandbox/cuda/wire.h"

/* Fills end, message, hazards and times; result->dialog_ms is there already. */
void outcome_describe(const struct cuda_launch *launch, const struct wire_outcome *outcome,
                      struct cuda_result *result);
/* One more hazard, where there is room: an input whose elements changed. */
void outcome_add_input(const struct cuda_launch *launch, const struct wire_finding *finding,
                       struct cuda_result *result);

/* Why the driver, a card or a session could not be had: message and hint. STATUS_ENVIRONMENT. */
enum status outcome_no_driver(const struct wire_failure *failure, struct error *error);
enum status outcome_no_session(const struct cuda_card *card, const struct wire_failure *failure,
                               struct error *error);
void outcome_no_blas(const struct wire_failure *failure, char *why, size_t size);
/* "CUDA_ERROR_ILLEGAL_ADDRESS" or "CUDA error 4711". */
void outcome_error_name(int code, char *buffer, size_t size);
/* NVML's reasons in words. */
void outcome_throttle(uint64_t bits, char *buffer, size_t size);

#endif
