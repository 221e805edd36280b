/* What the driver's results mean. Their numbers are those of the CUDA runtime's errors: both
 * headers say so of each. What the card finds wrong with a kernel breaks the context: every later
 * call has the same answer, as in a process of its own. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <stdio.h>

enum { FAULT_ECC = 214, FAULT_FIRST = 700, FAULT_UNKNOWN = 999 };

#define HAZARD_NONE HAZARD_COUNT

static const struct fault {
    int code;
    bool is_kernels; /* a kernel did it, and the context is lost */
    unsigned hazard;
    const char *sentence;
} faults[] = {
#define IS_FAULT                                 true
#define IS_REFUSED                               false
#define IS_MEMORY                                false
#define IS_HUNG                                  false
#define FAULT(code, name, end, hazard, sentence) {code, IS_##end, HAZARD_##hazard, sentence},
#include "sandbox/cuda/fault.def"
#undef FAULT
};

static bool is_lasting(int code) {
    return code == FAULT_ECC || code == FAULT_UNKNOWN ||
           (code >= FAULT_FIRST && code != CARD_OUT_OF_RESOURCES && code != CARD_TOO_LARGE &&
            code < CARD_NOT_SUPPORTED);
}

static const struct fault *find(int code) {
    for (size_t i = 0; i < ARRAY_LENGTH(faults); i++)
        if (faults[i].code == code && faults[i].hazard != HAZARD_NONE)
            return &faults[i];
    return NULL;
}

static void add_finding(struct card *card, const struct fault *fault) {
    struct hazard hazard = {
        .kind = (enum hazard_kind)fault->hazard, .site = card->metal->kernel_site, .count = 1};
    findings_add_host(card, hazard, "%s; the last launch was one of %s", fault->sentence,
                      *card->metal->kernel ? card->metal->kernel : "no kernel");
}

enum card_error metal_result(struct card *card, int code) {
    const struct fault *fault = find(code);
    if (code == DRIVER_OK || !is_lasting(code) || card->fault)
        return (enum card_error)code;
    card->fault = (enum card_error)code;
    if (fault && fault->is_kernels)
        add_finding(card, fault);
    return card->fault;
}

enum card_error metal_launched(struct card *card, int code) {
    const struct fault *fault = find(code);
    if (code != DRIVER_OK && fault && !fault->is_kernels) {
        struct hazard hazard = {.kind = (enum hazard_kind)fault->hazard,
                                .severity = SEVERITY_WARNING,
                                .site = card->site,
                                .count = 1};
        findings_add_host(card, hazard, "%s", fault->sentence);
    }
    return metal_result(card, code);
}
