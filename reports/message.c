/* Sentences about rows of tables below this room, in the reader's language.
 *
 * The simulated GPU says in English what it finds. In another language the sentence is made of the
 * finding's kind and data; where only the words have a detail (the name of an instruction, the
 * condition of an assert), it follows, translated by translate.c. */
#include "reports/message.h"

#include "reports/hazards.h"
#include "reports/translate.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/occupancy.h"

#include <string.h>

const char *message_verdict(enum language language, enum verdict verdict) {
    static const char *const labels[VERDICT_COUNT][LANGUAGE_COUNT] = {
#define VERDICT(ID, name, severity, label, summary)                                                \
    [VERDICT_##ID] = {message_en_verdict_##ID, message_zh_verdict_##ID},
#include "sandbox/base/verdict.def"
#undef VERDICT
    };
    return labels[verdict][language];
}

const char *message_group(enum language language, const char *name) {
    static const struct {
        const char *name, *chinese;
    } groups[] = {{message_en_group_correctness, message_zh_group_correctness},
                  {message_en_group_boundary, message_zh_group_boundary},
                  {message_en_group_generated, message_zh_group_generated},
                  {message_en_group_speed, message_zh_group_speed}};
    for (size_t i = 0; i < ARRAY_LENGTH(groups) && name && language == LANGUAGE_ZH; i++)
        if (strcmp(groups[i].name, name) == 0)
            return groups[i].chinese;
    return name;
}

const char *message_occupancy_limit(enum language language, const char *name) {
    static const char *const chinese[LIMIT_COUNT] = {
        message_zh_limit_warps, message_zh_limit_blocks, message_zh_limit_registers,
        message_zh_limit_shared};
    for (unsigned i = 0; i < LIMIT_COUNT && language == LANGUAGE_ZH; i++)
        if (strcmp(occupancy_limit_names[i], name) == 0)
            return chinese[i];
    return name;
}

const char *message_fix(enum language language, enum hazard_fix fix) {
    static const char *const chinese[FIX_COUNT] = {
#define FIX(ID, sentence, chinese) chinese,
#include "sandbox/base/hazard_fix.def"
#undef FIX
    };
    return language == LANGUAGE_ZH ? chinese[fix] : hazard_fixes[fix];
}

const char *message_lead(enum language language, enum hazard_kind kind) {
    if (language == LANGUAGE_EN)
        return hazard_infos[kind].lead;
    return kind == HAZARD_INSTRUCTION_BUDGET ? message_zh_lead_budget
           : kind == HAZARD_STACK_OVERFLOW   ? message_zh_lead_stack
           : kind == HAZARD_TRAP             ? message_zh_lead_trap
           : kind == HAZARD_UNSUPPORTED      ? message_zh_lead_unsupported
                                             : "";
}

static void append_dim3(struct text *out, struct dim3 d) {
    text_printf(out, "(%u, %u, %u)", d.x, d.y, d.z);
}

/* "thread (1, 0, 0) of block (0, 0, 0)"; "a thread" where none is known. */
static void append_thread(struct text *out, enum language language, const struct hazard *hazard,
                          size_t index) {
    cleanup_text struct text thread = {0}, block = {0};
    if (index >= hazard->thread_count || index >= ENGINE_HAZARD_THREADS) {
        text_append(out, WORDS(language, a_thread));
        return;
    }
    append_dim3(&thread, hazard->threads[index].thread);
    append_dim3(&block, hazard->threads[index].block);
    text_printf(out, WORDS(language, thread_of_block), text_string(&thread), text_string(&block));
}

static const char *access_words(enum language language, enum scene_access access) {
    return access == SCENE_READ     ? WORDS(language, access_read)
           : access == SCENE_WRITE  ? WORDS(language, access_write)
           : access == SCENE_ATOMIC ? WORDS(language, access_atomic)
                                    : WORDS(language, access_unknown);
}

/* "s[3]"; where no variable is known, what the engine calls it. Caller frees. */
static char *variable_words(enum language language, const struct hazard *hazard) {
    return hazard->variable[0] ? translate_string(language, hazard->variable)
                               : mem_strdup(WORDS(language, some_memory));
}

static void append_access(struct text *out, enum language language, const struct hazard *hazard) {
    cleanup_free char *variable = variable_words(language, hazard);
    append_thread(out, language, hazard, 0);
    text_printf(out, "%s %s", access_words(language, hazard->scene.access), variable);
}

static unsigned count_lanes(const lane_mask *masks) {
    unsigned count = 0;
    for (size_t i = 0; i < ENGINE_BLOCK_WARPS; i++)
        count += (unsigned)__builtin_popcount(masks[i]);
    return count;
}

static void append_barrier(struct text *out, enum language language, const struct hazard *hazard) {
    unsigned waiting = count_lanes(hazard->scene.waiting);
    if (waiting && hazard->scene.block_threads)
        text_printf(out, WORDS(language, barrier_some_wait), hazard->scene.block_threads, waiting);
    else
        text_append(out, WORDS(language, barrier_not_all));
    if (hazard->other_line)
        text_printf(out, WORDS(language, see_line), hazard->other_line);
}

/* Which launch has shown it, where that was not the first: the grader's own words, after the
 * engine's. */
static const char *const notes[] = {
    message_zh_seen_in_other_order,
    message_zh_seen_in_second_launch,
    message_zh_seen_unoptimised,
    message_zh_seen_in_debug_build,
};

/* The engine's words. */
static size_t own_length(const char *message) {
    size_t length = strlen(message);
    for (size_t i = 0; i < ARRAY_LENGTH(notes); i++) {
        const char *note = strstr(message, notes[i]);
        if (note && (size_t)(note - message) < length)
            length = (size_t)(note - message);
    }
    while (length && message[length - 1] == ' ')
        length--;
    return length;
}

/* The engine names both accesses, and after the last colon why nothing orders them. */
static void append_race(struct text *out, enum language language, const struct hazard *hazard) {
    cleanup_free char *said = mem_strndup(hazard->message, own_length(hazard->message));
    cleanup_text struct text why = {0};
    const char *colon = NULL;
    for (const char *at = said; (at = strstr(at, ": ")) != NULL; at++)
        colon = at;
    append_access(out, language, hazard);
    text_append(out, WORDS(language, semicolon));
    append_thread(out, language, hazard, 1);
    text_printf(out, WORDS(language, race_without_order),
                access_words(language, hazard->scene.other_access));
    if (colon && translate_append(&why, language, colon + strlen(": ")))
        text_printf(out, "%s%s", WORDS(language, colon), text_string(&why));
}

/* What the engine says of it beyond its kind, in the reader's language as far as that is known. */
static void append_quoted(struct text *out, enum language language, const char *words,
                          const struct hazard *hazard) {
    cleanup_text struct text own = {0};
    text_append(out, words);
    if (!hazard->message[0])
        return;
    cleanup_free char *said = mem_strndup(hazard->message, own_length(hazard->message));
    if (translate_append(&own, language, said))
        text_printf(out, "%s%s", WORDS(language, colon), text_string(&own));
    else
        text_printf(out, WORDS(language, in_the_words), said);
}

/* The engine's own sentence, where it is one of those that say more than the hazard's fields do. */
static bool append_whole(struct text *out, enum language language, const struct hazard *hazard) {
    static const bool may_say_more[HAZARD_COUNT] = {
        [HAZARD_OUT_OF_BOUNDS] = true,      [HAZARD_MISALIGNED] = true,
        [HAZARD_UNINITIALIZED_READ] = true, [HAZARD_WRITE_TO_INPUT] = true,
        [HAZARD_BARRIER_DIVERGENCE] = true, [HAZARD_BLOCK_ORDER] = true,
        [HAZARD_USE_AFTER_FREE] = true,     [HAZARD_DOUBLE_FREE] = true,
        [HAZARD_MEMORY_LEAK] = true,        [HAZARD_COPY_OUT_OF_BOUNDS] = true,
        [HAZARD_COPY_DIRECTION] = true,     [HAZARD_UNCHECKED_ERROR] = true};
    cleanup_text struct text own = {0};
    cleanup_free char *said = mem_strndup(hazard->message, own_length(hazard->message));
    if (!may_say_more[hazard->kind] || !*said || !translate_append(&own, language, said))
        return false;
    text_append(out, text_string(&own));
    return true;
}

static void append_made(struct text *out, enum language language, const struct hazard *hazard) {
    cleanup_free char *variable = variable_words(language, hazard);
    switch (hazard->kind) {
    case HAZARD_OUT_OF_BOUNDS:
        append_access(out, language, hazard);
        if (hazard->scene.elements)
            text_printf(out, WORDS(language, has_elements), hazard->scene.elements);
        text_append(out, WORDS(language, outside));
        return;
    case HAZARD_MISALIGNED:
        append_access(out, language, hazard);
        text_append(out, WORDS(language, misaligned));
        return;
    case HAZARD_UNINITIALIZED_READ:
        append_thread(out, language, hazard, 0);
        text_printf(out, WORDS(language, reads_unset), variable);
        return;
    case HAZARD_WRITE_TO_INPUT:
        append_thread(out, language, hazard, 0);
        text_printf(out, WORDS(language, writes_input), variable);
        return;
    case HAZARD_SHARED_RACE:
    case HAZARD_GLOBAL_RACE:
        append_race(out, language, hazard);
        return;
    case HAZARD_BARRIER_DIVERGENCE:
        append_barrier(out, language, hazard);
        return;
    case HAZARD_WARP_MASK_MISMATCH:
        append_quoted(out, language, WORDS(language, mask_is_wrong), hazard);
        return;
    case HAZARD_DEADLOCK:
        append_quoted(out, language, WORDS(language, all_wait), hazard);
        return;
    case HAZARD_BLOCK_ORDER:
        text_append(out, WORDS(language, waits_for_a_block));
        return;
    case HAZARD_STREAM_RACE:
        append_quoted(out, language, WORDS(language, streams_race), hazard);
        return;
    case HAZARD_HOST_RACE:
        append_quoted(out, language, WORDS(language, host_races), hazard);
        return;
    case HAZARD_USE_AFTER_FREE:
        append_quoted(out, language, WORDS(language, used_after_free), hazard);
        return;
    case HAZARD_DOUBLE_FREE:
        append_quoted(out, language, WORDS(language, freed_twice), hazard);
        return;
    case HAZARD_MEMORY_LEAK:
        append_quoted(out, language, WORDS(language, never_freed), hazard);
        return;
    case HAZARD_COPY_OUT_OF_BOUNDS:
        append_quoted(out, language, WORDS(language, copies_too_far), hazard);
        return;
    case HAZARD_COPY_DIRECTION:
        append_quoted(out, language, WORDS(language, copies_wrong_way), hazard);
        return;
    case HAZARD_UNCHECKED_ERROR:
        append_quoted(out, language, WORDS(language, error_unseen), hazard);
        return;
    case HAZARD_INSTRUCTION_BUDGET:
        append_quoted(out, language, WORDS(language, over_budget), hazard);
        return;
    case HAZARD_STACK_OVERFLOW:
        append_quoted(out, language, WORDS(language, stack_is_full), hazard);
        return;
    case HAZARD_TRAP:
        append_quoted(out, language, WORDS(language, trapped), hazard);
        return;
    case HAZARD_INVALID_LAUNCH:
        append_quoted(out, language, WORDS(language, launch_is_invalid), hazard);
        return;
    case HAZARD_UNSUPPORTED:
        append_quoted(out, language, WORDS(language, not_simulated), hazard);
        return;
    case HAZARD_COUNT:
        break;
    }
}

static void append_note(struct text *out, const struct hazard *hazard) {
    for (size_t i = 0; i < ARRAY_LENGTH(notes); i++)
        if (strstr(hazard->message, notes[i]))
            text_append(out, notes[i]);
}

void hazards_append_message(struct text *out, enum language language, const struct hazard *hazard) {
    if (language == LANGUAGE_EN) {
        text_append(out, hazard->message);
        return;
    }
    if (!append_whole(out, language, hazard))
        append_made(out, language, hazard);
    append_note(out, hazard);
}
