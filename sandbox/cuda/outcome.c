/* What the card saw, in words: see outcome.h.
 *
 * A worker's answer is hostile, so it only chooses among sentences that stand here and gives
 * numbers, which are checked: a finding outside of a guard band or of its buffer is no answer. */
#include "sandbox/cuda/outcome.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/cuda/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HAZARD_NONE HAZARD_COUNT

struct fault {
    int code;
    const char *name;
    enum cuda_end end;
    unsigned hazard;
    const char *sentence;
};
static const struct fault faults[] = {
#define FAULT(code, name, end, hazard, sentence)                                                   \
    {code, name, CUDA_##end, HAZARD_##hazard, sentence},
#include "sandbox/cuda/fault.def"
#undef FAULT
};

static const struct fault *fault_find(int code) {
    for (size_t i = 0; i < ARRAY_LENGTH(faults); i++)
        if (faults[i].code == code)
            return &faults[i];
    return NULL;
}

void outcome_error_name(int code, char *buffer, size_t size) {
    const struct fault *fault = fault_find(code);
    if (fault)
        snprintf(buffer, size, "%s", fault->name);
    else
        snprintf(buffer, size, "CUDA error %d", code);
}

/* ---- hazards --------------------------------------------------------------------------------- */

static struct hazard *add_hazard(struct cuda_result *result, enum hazard_kind kind,
                                 uint64_t count) {
    if (result->hazard_count == CUDA_MAX_HAZARDS)
        return NULL;
    struct hazard *hazard = &result->hazards[result->hazard_count++];
    *hazard = (struct hazard){.kind = kind, .severity = SEVERITY_ERROR, .count = count};
    return hazard;
}

/* "y[257]": a place after a buffer has an element's number, too; one before it has a negative. */
static void add_guard(const struct cuda_launch *launch, const struct wire_finding *finding,
                      struct cuda_result *result) {
    const struct engine_argument *argument = &launch->arguments[finding->argument];
    uint64_t bytes = element_infos[argument->type].bytes;
    uint64_t elements = finding->count / bytes + (finding->count % bytes != 0);
    struct hazard *hazard = add_hazard(result, HAZARD_OUT_OF_BOUNDS, elements);
    if (!hazard)
        return;
    int64_t index = finding->behind ? (int64_t)(argument->count + finding->first / bytes)
                                    : -(int64_t)(finding->first / bytes) - 1;
    char place[128];
    snprintf(place, sizeof place, "%.90s[%" PRId64 "]", argument->name, index);
    snprintf(hazard->message, sizeof hazard->message,
             "the kernel wrote outside of %s, which has %" PRIu64 " element%s: %" PRIu64
             " byte%s %s changed, the nearest in %s",
             argument->name, argument->count, text_plural(argument->count), finding->count,
             text_plural(finding->count), finding->behind ? "past its end" : "before its start",
             place);
    memcpy(hazard->variable, place, sizeof place);
}

void outcome_add_input(const struct cuda_launch *launch, const struct wire_finding *finding,
                       struct cuda_result *result) {
    const struct engine_argument *argument = &launch->arguments[finding->argument];
    struct hazard *hazard = add_hazard(result, HAZARD_WRITE_TO_INPUT, finding->count);
    if (!hazard)
        return;
    char place[128];
    snprintf(place, sizeof place, "%.90s[%" PRIu64 "]", argument->name, finding->first);
    snprintf(hazard->message, sizeof hazard->message,
             "the kernel changed its input %s: %" PRIu64 " element%s, the first is %s",
             argument->name, finding->count, text_plural(finding->count), place);
    memcpy(hazard->variable, place, sizeof place);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void died(struct cuda_result *result, const char *why) {
    result->end = CUDA_DIED;
    result->hazard_count = 0;
    snprintf(result->message, sizeof result->message, "%s", why);
}

static void describe_fault(const struct wire_failure *failure, struct cuda_result *result) {
    const struct fault *fault = fault_find(failure->code);
    bool by_launch = failure->stage == WIRE_STAGE_LAUNCH;
    bool by_module = failure->stage == WIRE_STAGE_MODULE;
    bool by_kernel = failure->stage == WIRE_STAGE_KERNEL;
    /* The kernel's own needs show in these; before them it is our buffers that found no room. */
    bool by_its_code = by_launch || by_module || by_kernel;
    /* A code that does not belong to what the worker was doing is the driver's trouble. */
    bool fits = fault && ((fault->end == CUDA_MEMORY && by_its_code) ||
                          (fault->end == CUDA_REFUSED && by_launch) ||
                          (fault->end == CUDA_REFUSED && by_module) ||
                          ((fault->end == CUDA_FAULT || fault->end == CUDA_HUNG) && by_kernel));
    char name[64];
    outcome_error_name(failure->code, name, sizeof name);
    result->end = fits ? fault->end : CUDA_DIED;
    if (fault && fault->end == CUDA_MEMORY && !fits) {
        snprintf(result->message, sizeof result->message,
                 "the card has no room for the launch's buffers: other programs have its memory, "
                 "or it has too little (%s)",
                 name);
        return;
    }
    if (!fits) {
        snprintf(result->message, sizeof result->message,
                 "the CUDA driver failed (%s) in step %d of a launch", name, (int)failure->stage);
        return;
    }
    const char *sentence = by_module && fault->end == CUDA_REFUSED
                               ? "the driver does not load the machine code"
                               : fault->sentence;
    snprintf(result->message, sizeof result->message, "%s (%s)", sentence, name);
    struct hazard *hazard = fault->hazard != HAZARD_NONE && !by_module
                                ? add_hazard(result, (enum hazard_kind)fault->hazard, 1)
                                : NULL;
    if (hazard)
        snprintf(hazard->message, sizeof hazard->message, "%.500s", result->message);
}

static void refuse_constants(struct cuda_result *result) {
    static const char sentence[] = "a __constant__ variable is smaller than what is copied into it";
    struct hazard *hazard = add_hazard(result, HAZARD_INVALID_LAUNCH, 1);
    result->end = CUDA_REFUSED;
    snprintf(result->message, sizeof result->message, "%s", sentence);
    if (!hazard)
        return;
    snprintf(hazard->message, sizeof hazard->message, "%s", sentence);
    hazard->fix = FIX_CONSTANT_MEMORY;
}

static void describe_failure(const struct cuda_launch *launch, const struct wire_failure *failure,
                             struct cuda_result *result) {
    switch (failure->stage) {
    case WIRE_STAGE_HUNG:
        result->end = CUDA_HUNG;
        snprintf(result->message, sizeof result->message,
                 "the kernel did not end within %s s on the card",
                 decimal(launch->wall_seconds, 6).text);
        return;
    case WIRE_STAGE_PARAMETERS:
        result->end = CUDA_REFUSED;
        snprintf(result->message, sizeof result->message,
                 "the kernel's machine code takes other parameters than its source says");
        return;
    case WIRE_STAGE_CONSTANTS:
        refuse_constants(result);
        return;
    case WIRE_STAGE_BLAS:
        result->end = CUDA_REFUSED;
        snprintf(result->message, sizeof result->message, "cuBLAS refused the call (status %d)",
                 failure->code);
        return;
    default:
        describe_fault(failure, result);
    }
}

static bool findings_are_possible(const struct cuda_launch *launch,
                                  const struct wire_outcome *outcome) {
    uint64_t band = PLACE_GUARD_BYTES + PLACE_PAGE_BYTES;
    for (size_t i = 0; i < outcome->guard_count; i++) {
        const struct wire_finding *finding = &outcome->guards[i];
        if (!launch->arguments[finding->argument].is_buffer || finding->count == 0 ||
            finding->count > band || finding->first > band - finding->count)
            return false;
    }
    for (size_t i = 0; i < outcome->input_count; i++) {
        const struct wire_finding *finding = &outcome->inputs[i];
        const struct engine_argument *argument = &launch->arguments[finding->argument];
        if (!argument->is_buffer || !argument->read_only || finding->count == 0 ||
            finding->count > argument->count || finding->first > argument->count - finding->count)
            return false;
    }
    return true;
}

/* Clocks of one machine, read one inside the other; the slack is for their rounding. */
static bool times_are_possible(const struct wire_outcome *outcome, double dialog_ms) {
    static const double slack_ms = 0.05;
    return outcome->event_ms <= dialog_ms + slack_ms && outcome->host_ms <= dialog_ms + slack_ms;
}

void outcome_describe(const struct cuda_launch *launch, const struct wire_outcome *outcome,
                      struct cuda_result *result) {
    if (!findings_are_possible(launch, outcome)) {
        died(result, "the GPU worker's answer is not valid: places that no buffer has");
        return;
    }
    if (!times_are_possible(outcome, result->dialog_ms)) {
        died(result, "the GPU worker's answer is not valid: it claims more time than passed");
        return;
    }
    result->end = CUDA_COMPLETED;
    result->event_ms = outcome->event_ms;
    result->host_ms = outcome->host_ms;
    if (outcome->failure.stage != WIRE_STAGE_NONE) {
        describe_failure(launch, &outcome->failure, result);
        return;
    }
    for (size_t i = 0; i < outcome->guard_count; i++)
        add_guard(launch, &outcome->guards[i], result);
    for (size_t i = 0; i < outcome->input_count; i++)
        outcome_add_input(launch, &outcome->inputs[i], result);
}

/* ---- what is missing ------------------------------------------------------------------------- */

enum { NO_DEVICE = 100, DEVICE_UNAVAILABLE = 46, OUT_OF_MEMORY = 2, DRIVER_MISMATCH = 803 };

static const char simulate[] = "--engine sim grades on the simulated GPU and needs no card.";

enum status outcome_no_driver(const struct wire_failure *failure, struct error *error) {
    char name[64];
    bool has_node = access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
    outcome_error_name(failure->code, name, sizeof name);
    if (failure->stage == WIRE_STAGE_LIBRARY)
        error_set(error, STATUS_ENVIRONMENT, "the CUDA driver's library cannot be used: %.500s",
                  failure->trouble);
    else if (failure->stage == WIRE_STAGE_INITIALISE && !has_node)
        error_set(error, STATUS_ENVIRONMENT,
                  "the CUDA driver's library is here, its device nodes are not: no /dev/nvidiactl");
    else if (failure->stage == WIRE_STAGE_NONE || failure->code == NO_DEVICE)
        error_set(error, STATUS_ENVIRONMENT, "the CUDA driver shows no card");
    else
        error_set(error, STATUS_ENVIRONMENT, "the CUDA driver does not start: %s", name);
    if (failure->stage == WIRE_STAGE_INITIALISE && !has_node)
        error_hint(error, "In a container: start it with its GPUs (docker run --gpus all). %s",
                   simulate);
    else if (failure->stage == WIRE_STAGE_NONE || failure->code == NO_DEVICE)
        error_hint(error, "CUDA_VISIBLE_DEVICES chooses among the cards; is it right? %s",
                   simulate);
    else if (failure->code == DRIVER_MISMATCH)
        error_hint(error,
                   "The kernel's module and the library are of two versions: reboot, or "
                   "reload the module. %s",
                   simulate);
    else
        error_hint(error, "`nvidia-smi` shows what the driver thinks of its cards. %s", simulate);
    return STATUS_ENVIRONMENT;
}

enum status outcome_no_session(const struct cuda_card *card, const struct wire_failure *failure,
                               struct error *error) {
    char name[64];
    outcome_error_name(failure->code, name, sizeof name);
    error_set(error, STATUS_ENVIRONMENT, "%s cannot be used: %s%s", card->name, name,
              failure->code == DEVICE_UNAVAILABLE && card->exclusive
                  ? " (it lets one process in at a time, and has one)"
                  : "");
    if (failure->code == DEVICE_UNAVAILABLE && card->exclusive)
        error_hint(error, "`nvidia-smi -c DEFAULT` as root lets several processes in.");
    else if (failure->code == OUT_OF_MEMORY)
        error_hint(error, "Other programs have its memory; `nvidia-smi` names them.");
    else
        error_hint(error, "`nvidia-smi` shows what the driver thinks of it. %s", simulate);
    return STATUS_ENVIRONMENT;
}

void outcome_no_blas(const struct wire_failure *failure, char *why, size_t size) {
    if (failure->stage == WIRE_STAGE_NONE)
        snprintf(why, size,
                 "cuBLAS is not on this machine: no libcublas.so beside NVRTC or in the "
                 "loader's folders");
    else if (failure->trouble[0])
        snprintf(why, size, "cuBLAS cannot be used: %.300s", failure->trouble);
    else
        snprintf(why, size, "cuBLAS does not start (status %d)", failure->code);
}

void outcome_throttle(uint64_t bits, char *buffer, size_t size) {
    static const struct {
        uint64_t bit;
        const char *words;
    } reasons[] = {
        {0x4, "power cap"},
        {0x8, "hardware slowdown"},
        {0x10, "synchronised with another card"},
        {0x20, "too hot (driver)"},
        {0x40, "too hot (hardware)"},
        {0x80, "power brake"},
        {0x100, "clocks of a display"},
    };
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < ARRAY_LENGTH(reasons); i++)
        if (bits & reasons[i].bit && length < size)
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? ", " : "",
                                       reasons[i].words);
}
