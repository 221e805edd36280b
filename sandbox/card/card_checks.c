/* What host code does wrong with device memory: use after it was freed, freeing twice, copies past
 * the end, memory that is left at the end. The errors that the calls answer are a card's; what is
 * said here is beside them. An address of the host is never said: it changes from run to run, and
 * a report must not. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lives of blocks ----------------------------------------------------------------------
 */

static struct card_life *life_of(struct card *card, size_t number) {
    while (card->life_count <= number)
        mem_push(&card->lives, &card->life_count, &card->life_capacity);
    return &card->lives[number];
}

void checks_allocated(struct card *card, size_t number, uint64_t bytes) {
    *life_of(card, number) = (struct card_life){.bytes = bytes, .made_at = card->site};
}

void checks_freed(struct card *card, size_t number) {
    struct card_life *life = life_of(card, number);
    life->is_freed = true;
    life->freed_at = card->site;
}

const struct card_life *checks_find(const struct card *card, uint64_t address, int64_t *offset,
                                    size_t *number) {
    /* Below bit 47 is the host's stack, but for the last page. */
    uint64_t little = address >> 47 ? (uint64_t)1 << 34 : 4096, at;
    *number = card->real ? SIZE_MAX : sim_block_of(address + little, &at);
    *offset = card->real ? 0 : (int64_t)at - (int64_t)little;
    if (*number >= card->life_count || at >= little) { /* not before the start of one */
        *number = card_block_of(card, address, &at);
        *offset = (int64_t)at;
    }
    bool is_known = *number < card->life_count && card->lives[*number].bytes;
    return is_known ? &card->lives[*number] : NULL;
}

/* A process has none with bit 47; what the host and the device share has a place of its own there,
 * and so have the device's windows: shared memory and others. */
static bool is_host_address(const struct card *card, uint64_t address) {
    static const uint64_t windows = (uint64_t)1 << 36, blocks = (uint64_t)1 << 44;
    uint64_t offset;
    size_t number = card_block_of(card, address, &offset);
    bool is_block = number < card->life_count && card->lives[number].bytes;
    return address >= 1 << 16 && address >> 47 == 0 && !is_block &&
           (address < windows || address >= blocks);
}

static void append_address(const struct card *card, uint64_t address, struct text *out) {
    if (is_host_address(card, address))
        text_append(out, "an address of the host");
    else
        text_printf(out, "address 0x%" PRIx64, address);
}

static struct hazard finding(const struct card *card, enum hazard_kind kind) {
    return (struct hazard){.kind = kind, .site = card->site, .count = 1};
}

static void add_use_after_free(struct card *card, const char *what, const struct card_life *life) {
    struct hazard hazard = finding(card, HAZARD_USE_AFTER_FREE);
    hazard.other_site = life->freed_at;
    findings_add_host(card, hazard,
                      "%s uses memory that was freed at " SITE_MARK "; its %" PRIu64
                      " bytes were allocated at " SITE_MARK,
                      what, life->freed_at, life->bytes, life->made_at);
}

void checks_explain_range(struct card *card, const char *what, uint64_t address, uint64_t bytes) {
    int64_t offset;
    size_t number;
    const struct card_life *life = checks_find(card, address, &offset, &number);
    struct hazard hazard = finding(card, HAZARD_COPY_OUT_OF_BOUNDS);
    if (!life) {
        cleanup_text struct text where = {0};
        append_address(card, address, &where);
        findings_add_host(card, hazard, "%s of %" PRIu64 " bytes at %s, which no allocation has",
                          what, bytes, text_string(&where));
        return;
    }
    if (life->is_freed && offset >= 0) {
        add_use_after_free(card, what, life);
        return;
    }
    hazard.other_site = life->made_at;
    if (offset < 0)
        findings_add_host(card, hazard,
                          "%s of %" PRIu64 " bytes begins %" PRIu64
                          " bytes before the memory that was allocated at " SITE_MARK,
                          what, bytes, (uint64_t)-offset, life->made_at);
    else if ((uint64_t)offset >= life->bytes)
        findings_add_host(card, hazard,
                          "%s of %" PRIu64 " bytes begins %" PRIu64
                          " bytes after the end of the %" PRIu64
                          " bytes that were allocated at " SITE_MARK,
                          what, bytes, (uint64_t)offset - life->bytes, life->bytes, life->made_at);
    else if (offset)
        findings_add_host(card, hazard,
                          "%s of %" PRIu64 " bytes from byte %" PRIu64 " of the %" PRIu64
                          " that were allocated at " SITE_MARK ": %" PRIu64 " bytes too many",
                          what, bytes, (uint64_t)offset, life->bytes, life->made_at,
                          bytes - (life->bytes - (uint64_t)offset));
    else
        findings_add_host(card, hazard,
                          "%s of %" PRIu64 " bytes, but only %" PRIu64
                          " were allocated at " SITE_MARK ": %" PRIu64 " bytes too many",
                          what, bytes, life->bytes, life->made_at, bytes - life->bytes);
}

void checks_explain_free(struct card *card, const char *what, uint64_t address) {
    int64_t offset;
    size_t number;
    const struct card_life *life = checks_find(card, address, &offset, &number);
    struct hazard hazard = finding(card, HAZARD_DOUBLE_FREE);
    if (life && life->is_freed && offset == 0) {
        hazard.other_site = life->freed_at;
        findings_add_host(card, hazard,
                          "%s of memory that was freed at " SITE_MARK
                          " already; it was allocated at " SITE_MARK,
                          what, life->freed_at, life->made_at);
    } else if (life && !life->is_freed && offset) {
        hazard.other_site = life->made_at;
        findings_add_host(card, hazard,
                          "%s of a pointer into the middle: it is %" PRId64
                          " bytes from the start of the memory that was allocated at " SITE_MARK,
                          what, offset, life->made_at);
    } else {
        cleanup_text struct text where = {0};
        append_address(card, address, &where);
        findings_add_host(card, hazard, "%s of a pointer that is no such allocation: it is %s",
                          what, text_string(&where));
    }
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* The argument of the launch, from 1, that points to what holds the address: the last one before
 * it. 0: there is none, as where the pointer is a member of a struct. */
static size_t find_host_argument(const struct card *card, const struct card_launched *launched,
                                 uint64_t address) {
    const struct card_kernel *kernel = launched->kernel;
    uint64_t nearest = 0;
    size_t found = 0;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t pointer;
        if (kernel->parameters[i].bytes != sizeof pointer)
            continue;
        memcpy(&pointer, launched->parameters + kernel->parameters[i].offset, sizeof pointer);
        if (!is_host_address(card, pointer) || pointer > address || pointer <= nearest)
            continue;
        nearest = pointer;
        found = i + 1;
    }
    return found;
}

/* An access to no allocation: perhaps to one that was, or to the host's. */
static void explain_access(struct card *card, const struct card_launched *launched,
                           struct hazard *hazard) {
    int64_t offset;
    size_t number;
    /* "read of 4 bytes at address 0x..., which belongs to no variable, by thread" */
    const char *at = strstr(hazard->message, " at address ");
    const char *by = strstr(hazard->message, ", by thread");
    cleanup_text struct text message = {0};
    const struct card_life *life = checks_find(card, hazard->address, &offset, &number);
    if (!at || !by || at > by)
        return;
    if (life && life->is_freed && offset >= 0 && (uint64_t)offset < life->bytes) {
        hazard->kind = HAZARD_USE_AFTER_FREE;
        hazard->fix = FIX_OF_PAGE;
        text_append_bytes(&message, hazard->message, strcspn(hazard->message, ","));
        text_printf(&message,
                    ", in memory that the host freed at " SITE_MARK " (allocated at " SITE_MARK ")",
                    life->freed_at, life->made_at);
    } else if (is_host_address(card, hazard->address)) {
        size_t argument = find_host_argument(card, launched, hazard->address);
        hazard->fix = FIX_HOST_POINTER;
        text_append_bytes(&message, hazard->message, (size_t)(at - hazard->message));
        text_append(&message, " through a pointer of the host, which the kernel was given");
        if (argument)
            text_printf(&message, " as argument %zu", argument);
    } else {
        return;
    }
    text_append(&message, by);
    snprintf(hazard->message, sizeof hazard->message, "%s", text_string(&message));
}

/* Whatever else names an address: a call through a pointer to a function of the host. */
static void hide_host_addresses(const struct card *card, struct hazard *hazard) {
    cleanup_text struct text message = {0};
    char *at = hazard->message, *end;
    for (char *number; (number = strstr(at, "0x")); at = end) {
        uint64_t address = strtoull(number, &end, 16);
        text_append_bytes(&message, at, (size_t)(number - at));
        if (is_host_address(card, address))
            text_append(&message, "an address of the host");
        else
            text_append_bytes(&message, number, (size_t)(end - number));
    }
    text_append(&message, at);
    snprintf(hazard->message, sizeof hazard->message, "%s", text_string(&message));
}

/* The allocation that a finding names: by its name in this launch. */
static void name_allocation(const struct card *card, struct hazard *hazard) {
    size_t length = strcspn(hazard->variable, "[");
    for (size_t i = 0; i < card->life_count && i < card->block_count && length; i++) {
        const char *name = card->blocks[i].about.name;
        if (!card->blocks[i].bytes || strlen(name) != length ||
            strncmp(name, hazard->variable, length) != 0)
            continue;
        size_t used = strlen(hazard->message);
        snprintf(hazard->message + used, sizeof hazard->message - used, "; allocated at " SITE_MARK,
                 card->lives[i].made_at);
        if (hazard->kind == HAZARD_UNINITIALIZED_READ && hazard->fix == FIX_OF_PAGE)
            hazard->fix = FIX_HOST_FILLS;
        return;
    }
}

/* The launch's line is the finding's where it has no line of the kernel's, else it is added. */
static void name_launch(const struct card *card, struct hazard *hazard) {
    size_t length = strlen(hazard->message);
    if (hazard->line)
        snprintf(hazard->message + length, sizeof hazard->message - length,
                 "; launched from " SITE_MARK, card->site);
    else
        hazard->site = card->site;
}

void checks_explain_launch(struct card *card, const struct card_launched *launched,
                           struct hazard *hazards, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (hazards[i].kind == HAZARD_OUT_OF_BOUNDS || hazards[i].kind == HAZARD_MISALIGNED)
            explain_access(card, launched, &hazards[i]);
        hide_host_addresses(card, &hazards[i]);
        name_allocation(card, &hazards[i]);
        if (card->site)
            name_launch(card, &hazards[i]);
    }
}

/* A pointer that is passed and not followed does no harm, yet. */
void checks_arguments(struct card *card, const struct card_launched *launched) {
    const struct card_kernel *kernel = launched->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t address;
        int64_t offset;
        size_t number;
        if (kernel->parameters[i].bytes != sizeof address)
            continue;
        memcpy(&address, launched->parameters + kernel->parameters[i].offset, sizeof address);
        const struct card_life *life = checks_find(card, address, &offset, &number);
        if (!life || !life->is_freed || offset != 0)
            continue;
        struct hazard hazard = finding(card, HAZARD_USE_AFTER_FREE);
        hazard.severity = SEVERITY_WARNING;
        hazard.other_site = life->freed_at;
        findings_add_host(card, hazard,
                          "argument %zu of the launch points to memory that was freed at " SITE_MARK
                          " (allocated at " SITE_MARK "); the kernel did not follow it",
                          i + 1, life->freed_at, life->made_at);
    }
}

/* ---- the end ----------------------------------------------------------------------------------
 */

enum card_error card_do_REACHABLE(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    (void)reply;
    uint64_t address, offset;
    for (size_t at = 0; at + sizeof address <= request->head.inline_bytes; at += sizeof address) {
        memcpy(&address, request->bytes + at, sizeof address);
        size_t number = card_block_of(card, address, &offset);
        if (number < card->life_count && offset <= card->lives[number].bytes)
            card->lives[number].is_reachable = true;
    }
    return CARD_OK;
}

enum card_error card_do_END(struct card *card, const struct card_request *request,
                            struct card_reply *reply) {
    (void)request, (void)reply;
    card->has_ended = true;
    return CARD_OK;
}

void checks_reset(struct card *card) {
    for (size_t i = 0; i < card->life_count; i++)
        card->lives[i].is_reachable = true;
}

static bool is_leaked(const struct card *card, size_t number) {
    return card_is_live(card, number) && card->blocks[number].kind <= ENGINE_BLOCK_MANAGED &&
           !card->lives[number].is_reachable && !card_task_names(card, number);
}

/* All of one line are one finding. */
static void add_leaks_of(struct card *card, size_t first) {
    uint32_t site = card->lives[first].made_at;
    uint64_t count = 0, bytes = 0;
    for (size_t i = first; i < card->life_count; i++)
        if (is_leaked(card, i) && card->lives[i].made_at == site) {
            count++;
            bytes += card->lives[i].bytes;
            card->lives[i].is_reachable = true; /* it has been said */
        }
    struct hazard hazard = {
        .kind = HAZARD_MEMORY_LEAK, .severity = SEVERITY_WARNING, .site = site, .count = count};
    if (count == 1)
        findings_add_host(card, hazard, "%" PRIu64 " bytes of device memory were never freed",
                          bytes);
    else
        findings_add_host(card, hazard,
                          "%" PRIu64 " allocations, %" PRIu64
                          " bytes of device memory in all, were never freed",
                          count, bytes);
}

void checks_end(struct card *card) {
    if (!card->has_ended || card->fault)
        return;
    for (size_t i = 0; i < card->life_count; i++)
        if (is_leaked(card, i))
            add_leaks_of(card, i);
}
