/* Pure functions over seeds, hazards and data areas; schedule.h says what for. */
#include "grader/cases/schedule.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdio.h>
#include <string.h>

uint64_t schedule_seed(uint64_t secret, unsigned number) {
    return number ? mix_word(secret, number) | 1 : 0;
}

bool schedule_matters(const struct engine_result *result) {
    return result->order_sensitive || result->counters.atomic_requests != 0;
}

bool schedule_same_hazard(const struct hazard *left, const struct hazard *right) {
    if (left->kind != right->kind || left->severity != right->severity)
        return false;
    return (left->line == right->line && left->other_line == right->other_line &&
            strcmp(left->file, right->file) == 0) ||
           (left->other_line && left->line == right->other_line &&
            left->other_line == right->line && strcmp(left->file, right->other_file) == 0);
}

/* Never cuts the note, and the message before it only between characters of UTF-8. */
static void add_note(struct hazard *hazard, const char *note) {
    size_t length = strlen(hazard->message);
    size_t room = sizeof hazard->message - 1 - strlen(note) - 1;
    if (length > room) {
        length = room - 3;
        while (length && ((unsigned char)hazard->message[length] & 0xc0) == 0x80)
            length--;
        memcpy(hazard->message + length, "...", 3);
        length += 3;
    }
    snprintf(hazard->message + length, sizeof hazard->message - length, " %s", note);
}

static bool is_known(const struct hazard *list, size_t count, const struct hazard *hazard) {
    for (size_t i = 0; i < count; i++)
        if (schedule_same_hazard(&list[i], hazard))
            return true;
    return false;
}

bool schedule_join_hazards(struct hazard **list, size_t *count, const struct hazard *others,
                           size_t other_count, const char *note) {
    size_t known = *count;
    for (size_t i = 0; i < other_count && *count < ENGINE_MAX_HAZARDS; i++) {
        if (is_known(*list, *count, &others[i]))
            continue;
        *list = mem_realloc(*list, *count + 1, sizeof **list);
        (*list)[*count] = others[i];
        add_note(&(*list)[(*count)++], note);
    }
    return *count > known;
}

bool schedule_compare(const struct engine_argument *arguments, size_t count, const void *left,
                      const void *right, struct schedule_difference *difference) {
    for (size_t i = 0; i < count; i++) {
        if (!arguments[i].is_buffer)
            continue;
        size_t bytes = element_infos[arguments[i].type].bytes, at = arguments[i].data_offset;
        const char *one = (const char *)left + at, *two = (const char *)right + at;
        if (memcmp(one, two, (size_t)arguments[i].count * bytes) == 0)
            continue;
        uint64_t index = 0;
        while (memcmp(one + index * bytes, two + index * bytes, bytes) == 0)
            index++;
        *difference = (struct schedule_difference){i, index};
        return true;
    }
    return false;
}
