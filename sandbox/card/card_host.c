/* What the library has noticed of the host, as findings; and the signal that ended the program. The
 * library lives in a stranger's process: what is said here is for who wrote the program. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hazard finding(const struct card *card, enum hazard_kind kind) {
    return (struct hazard){.kind = kind, .site = card->site, .count = 1};
}

/* ---- copies -----------------------------------------------------------------------------------
 */

static const char *side(const struct card *card, uint64_t address) {
    return card_is_device(card, address) ? "the device's" : "the host's";
}

static void add_direction(struct card *card, const uint64_t *numbers) {
    static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    if (numbers[0] >= ARRAY_LENGTH(kinds))
        return;
    bool to = card_is_device(card, numbers[1]), from = card_is_device(card, numbers[2]);
    bool wants_to = numbers[0] & 1, wants_from = numbers[0] & 2;
    uint64_t wrong = wants_to != to ? numbers[1] : numbers[2];
    const char *which = wants_to == to ? "source" : wants_from == from ? "destination" : NULL;
    if (which)
        findings_add_host(card, finding(card, HAZARD_COPY_DIRECTION),
                          "the copy is called %s, but its %s is memory of %s", kinds[numbers[0]],
                          which, card_is_device(card, wrong) ? "the device" : "the host");
    else
        findings_add_host(card, finding(card, HAZARD_COPY_DIRECTION),
                          "the copy is called %s, but its destination is %s and its source %s",
                          kinds[numbers[0]], side(card, numbers[1]), side(card, numbers[2]));
}

static void add_null(struct card *card, const uint64_t *numbers) {
    findings_add_host(card, finding(card, HAZARD_COPY_OUT_OF_BOUNDS),
                      "the %s of a copy of %" PRIu64 " bytes is a null pointer",
                      numbers[1] ? "destination" : "source", numbers[0]);
}

static void add_fill(struct card *card, const uint64_t *numbers) {
    bool is_null = numbers[1] < 4096;
    findings_add_host(card,
                      finding(card, is_null ? HAZARD_COPY_OUT_OF_BOUNDS : HAZARD_COPY_DIRECTION),
                      "a memset of %" PRIu64 " bytes %s", numbers[0],
                      is_null ? "through a null pointer"
                              : "of memory of the host: cudaMemset() is for the device's");
}

static void add_free(struct card *card, const uint64_t *numbers) {
    checks_explain_free(card, numbers[1] ? "cudaFreeHost()" : "cudaFree()", numbers[0]);
}

static void add_host_side(struct card *card, const uint64_t *numbers) {
    findings_add_host(card, finding(card, HAZARD_COPY_OUT_OF_BOUNDS),
                      "a copy of %" PRIu64 " bytes %s memory of the host that has %" PRIu64
                      ": %" PRIu64 " bytes too many",
                      numbers[0], numbers[2] ? "to" : "from", numbers[1], numbers[0] - numbers[1]);
}

static void add_variable(struct card *card, const uint64_t *numbers) {
    findings_add_host(card, finding(card, HAZARD_COPY_OUT_OF_BOUNDS),
                      "a copy of %" PRIu64 " bytes from byte %" PRIu64
                      " on of a variable of the device that has %" PRIu64,
                      numbers[0], numbers[1], numbers[2]);
}

/* ---- errors that nobody looks at --------------------------------------------------------------
 */

static void add_failure(struct card *card, const uint64_t *numbers) {
    enum { MOST_FAILURES = 1024 };
    if (card->failure_count == MOST_FAILURES)
        return;
    *mem_push(&card->failures, &card->failure_count, &card->failure_capacity) =
        (struct card_failure){
            .site = card->site, .error = (uint32_t)numbers[0], .is_launch = numbers[1] != 0};
}

static void look(struct card *card, const uint64_t *numbers) {
    for (size_t i = 0; i < card->failure_count; i++)
        card->failures[i].is_seen |= !numbers[0] || card->failures[i].error == numbers[0];
}

static const char *error_text(uint32_t error, const char **name) {
    static const struct {
        uint32_t code;
        const char *name, *text;
    } errors[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "sandbox/runtime/error.def"
#undef ERROR
    };
    for (size_t i = 0; i < ARRAY_LENGTH(errors); i++)
        if (errors[i].code == error) {
            *name = errors[i].name;
            return errors[i].text;
        }
    *name = "an unknown error";
    return "unrecognized error code";
}

/* What is an error by itself is not said twice. */
static bool is_known(const struct card *card, uint32_t site) {
    for (size_t i = 0; i < card->result.found.hazard_count; i++) {
        const struct hazard *hazard = &card->result.found.hazards[i];
        if (hazard->site == site && hazard->severity == SEVERITY_ERROR)
            return true;
    }
    return false;
}

/* Did each call there that failed have its error looked at? */
static bool is_seen(const struct card *card, uint32_t site) {
    bool seen = false;
    for (size_t i = 0; i < card->failure_count; i++) {
        if (card->failures[i].site == site && !card->failures[i].is_seen)
            return false;
        seen |= card->failures[i].site == site;
    }
    return seen;
}

void host_report_failures(struct card *card) {
    for (size_t i = 0; i < card->result.found.hazard_count; i++) {
        struct hazard *hazard = &card->result.found.hazards[i];
        hazard->error_seen = hazard->site && is_seen(card, hazard->site);
    }
    for (size_t i = 0; i < card->failure_count; i++) {
        const struct card_failure *failure = &card->failures[i];
        if (failure->is_seen || !failure->site || is_known(card, failure->site))
            continue;
        const char *name, *text = error_text(failure->error, &name);
        struct hazard hazard = {.kind = HAZARD_UNCHECKED_ERROR,
                                .severity = SEVERITY_WARNING,
                                .site = failure->site,
                                .count = 1,
                                .unless_read = !failure->is_launch};
        findings_add_host(card, hazard,
                          "%s failed with %s (%s), and the program did not look at it",
                          failure->is_launch ? "this launch" : "this call", name, text);
    }
}

enum card_error card_do_REPORT(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    static void (*const acts[WIRE_REPORT_COUNT])(struct card *, const uint64_t *) = {
        [WIRE_REPORT_NULL] = add_null,           [WIRE_REPORT_DIRECTION] = add_direction,
        [WIRE_REPORT_FILL] = add_fill,           [WIRE_REPORT_FREE] = add_free,
        [WIRE_REPORT_HOST_SIDE] = add_host_side, [WIRE_REPORT_VARIABLE] = add_variable,
        [WIRE_REPORT_FAILURE] = add_failure,     [WIRE_REPORT_LOOK] = look,
    };
    (void)reply;
    if (request->head.argument[0] >= WIRE_REPORT_COUNT)
        return CARD_INVALID_VALUE;
    acts[request->head.argument[0]](card, &request->head.argument[1]);
    return CARD_OK;
}

/* ---- the signal that ends it ------------------------------------------------------------------
 */

static const struct card_life *device_pointer(struct card *card, uint64_t word) {
    size_t number;
    int64_t offset;
    const struct card_life *life = checks_find(card, word, &offset, &number);
    return life && offset >= 0 && (uint64_t)offset <= life->bytes ? life : NULL;
}

static void describe_pointer(const struct card *card, const struct card_life *life,
                             struct text *out) {
    text_printf(out, SITE_MARK " uses a device pointer on the host", card->site);
    if (life->made_at) /* else a function was called with it */
        text_printf(out, ": the memory was allocated at " SITE_MARK, life->made_at);
    if (life->made_at && life->is_freed)
        text_printf(out, " and freed at " SITE_MARK, life->freed_at);
    text_append(out, ". The host reaches what it points to with cudaMemcpy() only");
}

/* Of the words in its registers, the processor having said no address. */
static void describe_words(struct card *card, const struct card_request *request,
                           struct text *out) {
    uint64_t word;
    for (size_t at = 0; at + sizeof word <= request->head.inline_bytes; at += sizeof word) {
        memcpy(&word, request->bytes + at, sizeof word);
        const struct card_life *life = device_pointer(card, word);
        if (!life)
            continue;
        describe_pointer(card, life, out);
        return;
    }
    text_printf(out, SITE_MARK " uses an address that no program has", card->site);
}

static void describe_address(struct card *card, uint64_t address, enum wire_fault place,
                             struct text *out) {
    const struct card_life *life = card->real ? device_pointer(card, address) : NULL;
    if (life && place == WIRE_FAULT_ELSEWHERE)
        describe_pointer(card, life, out);
    else if (place == WIRE_FAULT_READING)
        text_printf(out, "the copy at " SITE_MARK " reads memory of the host that is not there",
                    card->site);
    else if (place == WIRE_FAULT_WRITING)
        text_printf(out, "the copy at " SITE_MARK " writes to memory of the host that is not there",
                    card->site);
    else if (place == WIRE_FAULT_STACK)
        text_printf(out,
                    SITE_MARK " needs more stack than there is: a recursion that is too deep, or a "
                              "local array that is too large",
                    card->site);
    else if (address < 4096)
        text_printf(out, SITE_MARK " uses a null pointer (address 0x%" PRIx64 ")", card->site,
                    address);
    else
        text_printf(out, SITE_MARK " uses memory that is not the program's", card->site);
}

enum card_error card_do_FAULT(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)reply;
    const uint64_t *numbers = request->head.argument;
    struct card_crash *crash = &card->result.crash;
    cleanup_text struct text message = {0};
    if (crash->signal || numbers[0] == 0 || numbers[0] >= NSIG)
        return CARD_INVALID_VALUE;
    if (numbers[0] != SIGSEGV && numbers[0] != SIGBUS)
        text_printf(&message, "it came from " SITE_MARK, card->site);
    else if (request->head.inline_bytes)
        describe_words(card, request, &message);
    else
        describe_address(card, numbers[1], (enum wire_fault)numbers[2], &message);
    crash->signal = (int)numbers[0];
    crash->at.site = card->site;
    snprintf(crash->at.message, sizeof crash->at.message, "%s", text_string(&message));
    return CARD_OK;
}
