/* Call sites as the library says them, and which of them the report carries. What they mean stands
 * in the program's file, which this process does not have. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum card_error card_do_SITE(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    size_t bytes = request->head.inline_bytes;
    struct card_site site = {.count = (uint32_t)(bytes / sizeof *site.frames)};
    if (!bytes || bytes > sizeof site.frames || bytes % sizeof *site.frames ||
        card->site_count == CARD_MAX_SITES)
        return CARD_INVALID_VALUE;
    memcpy(site.frames, request->bytes, bytes);
    *mem_push(&card->sites, &card->site_count, &card->site_capacity) = site;
    return CARD_OK;
}

static void add(struct card *card, uint32_t number) {
    struct card_result *result = &card->result;
    if (!number || number > card->site_count || result->site_count == CARD_MAX_NAMED_SITES)
        return;
    for (size_t i = 0; i < result->site_count; i++)
        if (result->sites[i].number == number)
            return;
    const struct card_site *site = &card->sites[number - 1];
    struct named_site *named = &result->sites[result->site_count++];
    *named = (struct named_site){.number = number, .count = site->count};
    memcpy(named->frames, site->frames, sizeof site->frames);
}

static void add_all(struct card *card, const struct hazard *hazard) {
    const char *message = hazard->message;
    add(card, hazard->site);
    add(card, hazard->other_site);
    for (uint32_t number; (number = site_mark_next(&message));)
        add(card, number);
}

void sites_report(struct card *card) {
    const struct engine_result *found = &card->result.found;
    free(card->result.sites);
    card->result.sites = mem_calloc(CARD_MAX_NAMED_SITES, sizeof *card->result.sites);
    card->result.site_count = 0;
    for (size_t i = 0; i < found->hazard_count; i++)
        add_all(card, &found->hazards[i]);
    add_all(card, &card->result.crash.at);
}
