/* What all launches of a program have found, each finding once: the same kind at the same lines
 * adds to the count of the first. And the end of a card. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const struct hazard *a, const struct hazard *b) {
    return a->kind == b->kind && a->line == b->line && a->other_line == b->other_line &&
           a->site == b->site && a->other_site == b->other_site && strcmp(a->file, b->file) == 0 &&
           strcmp(a->other_file, b->other_file) == 0 &&
           (a->line || a->site || strcmp(a->message, b->message) == 0);
}

static void add(struct engine_result *found, const struct hazard *hazard) {
    for (size_t i = 0; i < found->hazard_count; i++)
        if (is_same(&found->hazards[i], hazard)) {
            found->hazards[i].count += hazard->count;
            return;
        }
    if (found->hazard_count == ENGINE_MAX_HAZARDS)
        return;
    found->hazards = mem_realloc(found->hazards, found->hazard_count + 1, sizeof *found->hazards);
    found->hazards[found->hazard_count++] = *hazard;
}

void findings_add(struct card *card, const struct hazard *hazards, size_t count) {
    for (size_t i = 0; i < count; i++)
        add(&card->result.found, &hazards[i]);
}

void findings_add_host(struct card *card, struct hazard hazard, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(hazard.message, sizeof hazard.message, format, arguments);
    va_end(arguments);
    hazard.count = hazard.count ? hazard.count : 1;
    add(&card->result.found, &hazard);
}

void findings_add_unsupported(struct card *card, const char *message) {
    struct hazard hazard = {.kind = HAZARD_UNSUPPORTED, .count = 1};
    snprintf(hazard.message, sizeof hazard.message, "%s", message);
    add(&card->result.found, &hazard);
}

void findings_add_counters(struct card *card, const struct counters *counters) {
    struct counters from = *counters;
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(&card->result.found.counters, i) += *counter_at(&from, i);
}

void card_clear(struct card *card) {
    card_clear_memory(card);
    card_clear_modules(card);
    card_clear_streams(card);
    card_task_clear(card);
    text_free(&card->printed);
    free(card->textures);
    engine_result_free(&card->result.found);
    free(card->result.sites);
    free(card->sites);
    free(card->lives);
    free(card->failures);
}
