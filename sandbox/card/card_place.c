/* Addresses and blocks. A simulated card's addresses say which block they belong to; a real card's
 * say nothing, so that a sorted list has where each block lies. A freed block stays in it until its
 * place is given to another one: pointers to it can be explained as long as they are wrong. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <string.h>

/* How many spans start at the address or before it. */
static size_t spans_until(const struct card *card, uint64_t address) {
    size_t low = 0, high = card->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (card->spans[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t card_block_of(const struct card *card, uint64_t address, uint64_t *offset) {
    static const uint64_t far = (uint64_t)1
                                << 30; /* no pointer was meant for a block so far away */
    if (!card->real)
        return sim_block_of(address, offset);
    size_t count = spans_until(card, address);
    const struct card_span *span = count ? &card->spans[count - 1] : NULL;
    *offset = span ? address - span->start : 0;
    return span && (*offset < span->bytes || *offset - span->bytes < far) ? span->number : SIZE_MAX;
}

uint64_t card_address_of(const struct card *card, size_t number) {
    return card->real ? card->lives[number].address : sim_block_address(number);
}

/* The place of those that were there before is another's now, and so is the number. */
static void drop_spans(struct card *card, size_t number, uint64_t start, uint64_t bytes) {
    size_t kept = 0;
    for (size_t i = 0; i < card->span_count; i++) {
        const struct card_span *span = &card->spans[i];
        bool apart = span->start + span->bytes <= start || start + bytes <= span->start;
        if (apart && span->start != start && span->number != number)
            card->spans[kept++] = *span;
    }
    card->span_count = kept;
}

void card_note_place(struct card *card, size_t number, uint64_t address, uint64_t bytes) {
    drop_spans(card, number, address, bytes);
    size_t at = spans_until(card, address);
    mem_push(&card->spans, &card->span_count, &card->span_capacity);
    memmove(&card->spans[at + 1], &card->spans[at],
            (card->span_count - 1 - at) * sizeof *card->spans);
    card->spans[at] = (struct card_span){address, bytes, number};
    card->lives[number].address = address;
}

bool card_is_live(const struct card *card, size_t number) {
    return number < card->block_count && number < card->life_count && card->lives[number].bytes &&
           !card->lives[number].is_freed;
}

bool card_is_device(const struct card *card, uint64_t address) {
    uint64_t offset;
    if (!card->real)
        return address >> 47;
    size_t number = card_block_of(card, address, &offset);
    return number < card->life_count && number >= ENGINE_HOST_BLOCKS &&
           offset < card->lives[number].bytes;
}
