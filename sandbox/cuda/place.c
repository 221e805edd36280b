/* Fresh addresses for every launch: a kernel that keeps results by their addresses, or lines in the
 * cache, finds neither again. Gaps are whole pages, so that no launch is faster for its alignment.
 *
 * The arena has room for all buffers, their guard bands and a slack; the slack is what the gaps
 * share, so that the arena's size is the same for every seed and it can be kept. */
#include "sandbox/cuda/place.h"

#include "sandbox/base/mix.h"
#include "sandbox/base/number.h"

#define SLACK_LEAST ((uint64_t)1 << 20)
#define SLACK_MOST  ((uint64_t)64 << 20)
#define BYTES_MOST  ((uint64_t)1 << 42)

static uint64_t round_up(uint64_t bytes) {
    return number_round_up(bytes, PLACE_PAGE_BYTES);
}

static bool buffer_bytes(const struct engine_argument *argument, uint64_t *bytes) {
    *bytes = 0;
    return !argument->is_buffer ||
           (!__builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, bytes) &&
            *bytes <= BYTES_MOST);
}

bool place_buffers(const struct engine_argument *arguments, size_t count, uint64_t seed,
                   struct buffer_span *places, uint64_t *arena_bytes) {
    size_t order[ENGINE_MAX_ARGUMENTS];
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!buffer_bytes(&arguments[i], &places[i].bytes))
            return false;
        sum += round_up(places[i].bytes) + 2 * PLACE_GUARD_BYTES;
        size_t other = (size_t)(mix_word(seed, i + 1) % (i + 1)); /* Fisher and Yates */
        order[i] = i;
        order[i] = order[other];
        order[other] = i;
    }
    uint64_t slack = sum / 8 < SLACK_LEAST  ? SLACK_LEAST
                     : sum / 8 > SLACK_MOST ? SLACK_MOST
                                            : sum / 8;
    uint64_t pages = slack / PLACE_PAGE_BYTES / (count + 1), at = 0;
    for (size_t i = 0; i < count; i++) {
        struct buffer_span *place = &places[order[i]];
        at += mix_word(seed, count + i + 1) % (pages + 1) * PLACE_PAGE_BYTES + PLACE_GUARD_BYTES;
        place->offset = at;
        at += round_up(place->bytes) + PLACE_GUARD_BYTES;
        place->guard_end = at;
    }
    *arena_bytes = sum + round_up(slack);
    return true;
}
