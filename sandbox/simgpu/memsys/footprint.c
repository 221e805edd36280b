/* Footprints: for each allocation bitmaps of sectors and bytes, and of a sample which blocks touch
 * each 64 bytes, in pieces that come as touched (piece_map.c).
 *
 * From a sample, sectors and bytes of the grid are estimated by what blocks share
 * (capture_recapture.c); sectors that are read in units of 64 bytes, the pair of sectors that
 * device memory gives, and those that are written one by one, because blocks may share a pair and
 * no sector of it. Nor need they share words, and so bytes are estimated by words: by those of one
 * pair in sixteen, which a hash chooses, or of all where the allocation is small. An allocation's
 * size is the limit.
 */
#include "sandbox/simgpu/memsys/footprint.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- the maps -------------------------------------------------------------------------------- */

enum { WORDS_A_PAIR = PAIR_BYTES / 4 };

/* Where the words of a chosen pair stand in its piece. */
static uint64_t place_of(const struct footprint *footprint, uint64_t pair) {
    return (pair % PIECE_PAIRS >> footprint->run_bits) * WORDS_A_PAIR;
}

void footprint_open(struct footprint *footprint, struct piece_arena *arena, uint64_t length,
                    uint32_t *line) {
    footprint->first_line = *line;
    footprint->length = length;
    footprint->run_bits = length > ALL_WORDS_BYTES ? RUN_BITS : 0;
    *line += (uint32_t)((length + LINE_BYTES - 1) / LINE_BYTES) + 2;
    size_t count = (size_t)((length / LINE_BYTES + 2) / PIECE_LINES + 1),
           words = ((size_t)PIECE_PAIRS >> footprint->run_bits) * WORDS_A_PAIR * sizeof(uint64_t);
    footprint->read = piece_map_open(arena, count, sizeof(struct read_piece));
    footprint->written = piece_map_open(arena, count, sizeof(struct written_piece));
    footprint->readers = piece_map_open(arena, count, sizeof(struct readers_piece) + words);
    footprint->writers = piece_map_open(arena, count, sizeof(struct writers_piece) + words);
    footprint->dense = piece_map_open(arena, count, sizeof(struct dense_piece));
}

void footprint_close(struct footprint *footprint) {
    piece_map_close(&footprint->read);
    piece_map_close(&footprint->written);
    piece_map_close(&footprint->readers);
    piece_map_close(&footprint->writers);
    piece_map_close(&footprint->dense);
}

void footprint_note_readers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark) {
    struct readers_piece *piece = piece_map_touch(&footprint->readers, line / PIECE_LINES);
    for (unsigned pair = 0; pair < 2; pair++)
        if (sectors >> 2 * pair & 3)
            capture_note(&piece->pairs[2 * (line % PIECE_LINES) + pair], mark);
}

void footprint_note_writers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark) {
    struct writers_piece *piece = piece_map_touch(&footprint->writers, line / PIECE_LINES);
    for (unsigned sector = 0; sector < 4; sector++)
        if (sectors >> sector & 1)
            capture_note(&piece->sectors[4 * (line % PIECE_LINES) + sector], mark);
}

void footprint_note_storer(struct footprint *footprint, uint64_t line, uint64_t block,
                           struct writeback_locality *pieces) {
    uint64_t count = (footprint->length + LINE_BYTES - 1) / LINE_BYTES,
             first = line / PIECE_LINES * PIECE_LINES;
    struct written_piece *piece = piece_map_touch(&footprint->written, line / PIECE_LINES);
    if (first < count)
        writeback_locality_note(pieces, piece->storers,
                                (size_t)(count - first < PIECE_LINES ? count - first : PIECE_LINES),
                                (size_t)(line - first), block);
}

uint32_t footprint_dense(struct footprint *footprint, uint64_t line, uint32_t *next) {
    struct dense_piece *piece = piece_map_touch(&footprint->dense, line / PIECE_LINES);
    uint32_t *number = &piece->lines[line % PIECE_LINES];
    if (!*number)
        *number = (*next)++;
    return *number;
}

/* ---- sectors and bytes ----------------------------------------------------------------------- */

unsigned footprint_mark_sectors(struct footprint *footprint, uint64_t line, uint8_t sectors,
                                bool writes) {
    size_t number = line / PIECE_LINES, bit = line % PIECE_LINES * 4;
    uint64_t *map;
    if (writes)
        map = ((struct written_piece *)piece_map_touch(&footprint->written, number))->sectors;
    else
        map = ((struct read_piece *)piece_map_touch(&footprint->read, number))->sectors;
    uint8_t fresh = (uint8_t)(sectors & ~(map[bit / 64] >> bit % 64));
    map[bit / 64] |= (uint64_t)sectors << bit % 64;
    return sectors_of(fresh);
}

/* Bytes of one piece. */
static unsigned mark_run(uint64_t *map, const uint64_t *unless, unsigned first, unsigned bytes) {
    unsigned fresh = 0;
    for (unsigned at = first, end = first + bytes; at < end;) {
        unsigned here = 64 - at % 64 < end - at ? 64 - at % 64 : end - at;
        uint64_t bits = (here == 64 ? ~(uint64_t)0 : ((uint64_t)1 << here) - 1) << at % 64;
        uint64_t added = bits & ~map[at / 64] & ~(unless ? unless[at / 64] : 0);
        map[at / 64] |= added;
        if (added == bits)
            fresh += here;
        else if (added)
            fresh += (unsigned)__builtin_popcountll(added);
        at += here;
    }
    return fresh;
}

/* One lane's are all new or none as a rule. */
static inline unsigned mark_in_piece(uint64_t *map, const uint64_t *unless, unsigned first,
                                     unsigned bytes) {
    if (bytes <= 8 && first % 8 + bytes <= 8) {
        uint64_t bits = (((uint64_t)1 << bytes) - 1) << first % 64;
        uint64_t taken = bits & (map[first / 64] | (unless ? unless[first / 64] : 0));
        if (taken == bits)
            return 0;
        if (!taken) {
            map[first / 64] |= bits;
            return bytes;
        }
    }
    return mark_run(map, unless, first, bytes);
}

unsigned footprint_mark_bytes(struct footprint *footprint, uint64_t offset, uint64_t bytes,
                              bool writes) {
    unsigned fresh = 0;
    for (uint64_t at = offset, end = offset + bytes; at < end;) {
        unsigned first = at % PIECE_BYTES;
        unsigned here = end - at < PIECE_BYTES - first ? (unsigned)(end - at) : PIECE_BYTES - first;
        size_t number = at / PIECE_BYTES;
        if (writes) {
            struct written_piece *piece = piece_map_touch(&footprint->written, number);
            fresh += mark_in_piece(piece->bytes, NULL, first, here);
        } else {
            const struct written_piece *written = piece_map_find(&footprint->written, number);
            struct read_piece *piece = piece_map_touch(&footprint->read, number);
            fresh += mark_in_piece(piece->bytes, written ? written->bytes : NULL, first, here);
        }
        at += here;
    }
    return fresh;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_marked(const struct read_piece *piece, uint64_t word) {
    word %= PIECE_BYTES / 4;
    return piece && piece->bytes[word / 16] >> word % 16 * 4 & 15;
}

void footprint_note_chosen(struct footprint *footprint, uint64_t offset, uint64_t bytes, bool reads,
                           bool writes, uint32_t mark) {
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    for (uint64_t pair = first / WORDS_A_PAIR; pair <= last / WORDS_A_PAIR; pair++) {
        if (!footprint_is_chosen(footprint, pair))
            continue;
        size_t number = pair / PIECE_PAIRS;
        uint64_t place = place_of(footprint, pair), from = pair * WORDS_A_PAIR,
                 end = from + WORDS_A_PAIR - 1;
        struct readers_piece *readers = reads ? piece_map_touch(&footprint->readers, number) : NULL;
        struct writers_piece *writers =
            writes ? piece_map_touch(&footprint->writers, number) : NULL;
        const struct read_piece *read = piece_map_find(&footprint->read, number);
        for (uint64_t word = first > from ? first : from; word <= (last < end ? last : end);
             word++) {
            /* what is read after it was written is in no map of bytes read */
            if (readers && is_marked(read, word))
                capture_note(&readers->words[place + word - from], mark);
            if (writers)
                capture_note(&writers->words[place + word - from], mark);
        }
    }
}

static double at_most(double value, double limit) {
    return value < limit ? value : limit;
}

struct footprint_sums {
    struct capture_tally read, written;
    struct capture_tally words_read, words_written; /* bytes of the chosen pairs */
    double bytes_read, bytes_written;               /* of all */
    double both_sectors, shared_sectors;
    double pairs, distance; /* sectors that two blocks share, and how far apart those lie */
    double by_distance[64]; /* such sectors, by the binary logarithm of the distance */
};

static unsigned bits_of(uint64_t word) {
    return (unsigned)__builtin_popcountll(word);
}

void footprint_add_dirtied(const struct footprint *footprint, double *dirtied, double *whole) {
    for (size_t number = 0; number < footprint->written.count; number++) {
        const struct written_piece *written = piece_map_find(&footprint->written, number);
        const struct read_piece *read = piece_map_find(&footprint->read, number);
        for (unsigned word = 0; written && word < PIECE_SECTORS / 64; word++) {
            uint64_t dirty = written->sectors[word];
            uint64_t given = read ? dirty & read->sectors[word] : 0;
            *dirtied += bits_of(dirty);
            *whole += bits_of(given);
            for (uint64_t rest = dirty & ~given; rest; rest &= rest - 1) {
                unsigned sector = word * 64 + (unsigned)__builtin_ctzll(rest);
                uint64_t bytes = written->bytes[sector / 2] >> sector % 2 * SECTOR_BYTES;
                *whole += bits_of(bytes & UINT32_MAX) / (double)SECTOR_BYTES;
            }
        }
    }
}

static void add_distance(const struct capture_sample *sample, uint64_t unit, double amount,
                         struct footprint_sums *sums) {
    uint64_t pair[2];
    if (!capture_pair(unit, pair) || pair[0] >= sample->count || pair[1] >= sample->count)
        return;
    uint64_t a = sample->places[pair[0]], b = sample->places[pair[1]];
    sums->pairs += amount;
    uint64_t distance = a > b ? a - b : b - a;
    sums->distance += amount * (double)distance;
    sums->by_distance[distance ? 63 - __builtin_clzll(distance) : 0] += amount;
}

/* What is known of a piece; NULL: nothing. */
struct pieces {
    const struct read_piece *read;
    const struct written_piece *written;
    const struct readers_piece *readers;
    const struct writers_piece *writers;
};

static void add_words(const struct footprint *f, const struct pieces *p,
                      const struct capture_sample *sample, uint64_t pair,
                      struct footprint_sums *sums) {
    uint64_t place = place_of(f, pair), at = pair % PIECE_PAIRS;
    if (!footprint_is_chosen(f, pair))
        return;
    uint64_t read = p->read && p->readers ? p->read->bytes[at] : 0,
             written = p->written && p->writers ? p->written->bytes[at] : 0;
    for (unsigned word = 0; word < WORDS_A_PAIR; word++) {
        if (read)
            capture_add(&sums->words_read, sample, p->readers->words[place + word],
                        bits_of(read >> word * 4 & 15));
        if (written)
            capture_add(&sums->words_written, sample, p->writers->words[place + word],
                        bits_of(written >> word * 4 & 15));
    }
}

/* One pair of sectors. A byte's bit stands in the word that has the pair's number. */
static void add_pair(const struct footprint *f, const struct pieces *p,
                     const struct capture_sample *sample, uint64_t pair,
                     struct footprint_sums *sums) {
    uint64_t at = pair % PIECE_PAIRS;
    unsigned shift = at * 2 % 64;
    unsigned read = p->read ? p->read->sectors[at / 32] >> shift & 3 : 0;
    unsigned written = p->written ? p->written->sectors[at / 32] >> shift & 3 : 0;
    uint64_t reader = p->readers ? p->readers->pairs[at] : 0;
    unsigned shared = capture_count(reader) == CAPTURE_MANY ? read | written : 0;
    capture_add(&sums->read, sample, reader, sectors_of(read));
    for (unsigned i = 0; i < 2; i++) {
        uint64_t writer = p->writers && written >> i & 1 ? p->writers->sectors[2 * at + i] : 0;
        capture_add(&sums->written, sample, writer, written >> i & 1);
        add_distance(sample, writer, 1, sums);
        shared |= capture_count(writer) == CAPTURE_MANY ? 1U << i : 0;
    }
    sums->bytes_read += p->read ? bits_of(p->read->bytes[at]) : 0;
    sums->bytes_written += p->written ? bits_of(p->written->bytes[at]) : 0;
    add_words(f, p, sample, pair, sums);
    sums->both_sectors += sectors_of(read & written);
    add_distance(sample, reader, sectors_of(read), sums);
    sums->shared_sectors += sectors_of(shared);
}

static void sum_footprint(const struct footprint *f, const struct capture_sample *sample,
                          struct footprint_sums *sums) {
    for (size_t number = 0; number < f->read.count; number++) {
        struct pieces p = {piece_map_find(&f->read, number), piece_map_find(&f->written, number),
                           piece_map_find(&f->readers, number),
                           piece_map_find(&f->writers, number)};
        for (uint64_t pair = 0; (p.read || p.written) && pair < PIECE_PAIRS; pair++) {
            uint64_t sectors = (p.read ? p.read->sectors[pair / 32] : 0) |
                               (p.written ? p.written->sectors[pair / 32] : 0);
            if (sectors && number * PIECE_PAIRS + pair < f->length / PAIR_BYTES + 1)
                add_pair(f, &p, sample, number * PIECE_PAIRS + pair, sums);
        }
    }
}

/* Of `sectors` sectors, how many several blocks touch, when all touches together are `touches`. */
static double shared_amount(double sectors, double touches) {
    return at_most(touches > sectors ? touches - sectors : 0, sectors);
}

/* Blocks that touch a sector at random places of the grid are often close by chance: nearer than
 * half of what `touches` places evenly apart are. Those that take turns never are. */
static double randomness(const struct footprint_sums *sums, double touches, double blocks) {
    double close = 0;
    for (unsigned i = 0; i < 64 && ldexp(2, (int)i) <= blocks / (2 * touches); i++)
        close += sums->by_distance[i];
    return sums->pairs > 0 ? at_most(close / sums->pairs * touches, 1) : 0;
}

static double sectors_in(uint64_t bytes) {
    return (double)((bytes + SECTOR_BYTES - 1) / SECTOR_BYTES);
}

static double paired_sectors_in(uint64_t bytes) {
    return (double)((bytes + PAIR_BYTES - 1) / PAIR_BYTES * 2);
}

/* Bytes of the grid: those of the sample, by as much more as there are of the chosen words. */
static double bytes_of(double seen, const struct capture_tally *words, double estimate,
                       uint64_t length) {
    double more = words->all.seen > 0 ? estimate / words->all.seen : 1;
    return at_most(seen * more, (double)length);
}

/* What device memory gives is not less than the bytes that are read before any block writes them:
 * both caches are empty at the beginning. Where two blocks of a small sample meet by chance at
 * pairs that many blocks share, pairs say too little; words that no two blocks share say what it
 * is. */
static double read_sectors_of(double pairs, double bytes, uint64_t length) {
    return at_most(fmax(pairs, bytes / SECTOR_BYTES), paired_sectors_in(length));
}

static struct memory_extent extent_without(const struct footprint_sums *sums,
                                           const struct capture_sample *sample, unsigned group,
                                           uint64_t length) {
    double read = bytes_of(sums->bytes_read, &sums->words_read,
                           capture_estimate_without(&sums->words_read, sample, group), length),
           written =
               bytes_of(sums->bytes_written, &sums->words_written,
                        capture_estimate_without(&sums->words_written, sample, group), length);
    return (struct memory_extent){
        .read_sectors =
            read_sectors_of(capture_estimate_without(&sums->read, sample, group), read, length),
        .written_sectors =
            at_most(capture_estimate_without(&sums->written, sample, group), sectors_in(length)),
        .ideal_bytes = read + written};
}

void footprint_estimate(struct footprint *f, const struct capture_sample *sample,
                        struct memory_totals *totals) {
    cleanup_free struct footprint_sums *sums = mem_zalloc(sizeof *sums);
    sum_footprint(f, sample, sums);
    struct memory_estimate *e = &f->estimate;
    double read = bytes_of(sums->bytes_read, &sums->words_read,
                           capture_estimate(&sums->words_read, sample), f->length),
           written = bytes_of(sums->bytes_written, &sums->words_written,
                              capture_estimate(&sums->words_written, sample), f->length);
    e->read_sectors = read_sectors_of(capture_estimate(&sums->read, sample), read, f->length);
    e->written_sectors = at_most(capture_estimate(&sums->written, sample), sectors_in(f->length));
    e->ideal_bytes = read + written;
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++) {
        struct memory_extent *sum = &totals->all.without[g];
        e->without[g] = extent_without(sums, sample, g, f->length);
        sum->read_sectors += e->without[g].read_sectors;
        sum->written_sectors += e->without[g].written_sectors;
        sum->ideal_bytes += e->without[g].ideal_bytes;
    }
    /* two places chosen anywhere are a third of the grid apart */
    e->far_share =
        at_most(sums->pairs > 0 ? sums->distance / sums->pairs * 3 / (double)sample->blocks : 0, 1);
    double sectors_touched = e->read_sectors + e->written_sectors;
    if (sectors_touched > 0)
        e->random =
            randomness(sums, fmax(1, (e->read_weighted + e->written_weighted) / sectors_touched),
                       (double)sample->blocks);
    totals->far_sectors += e->far_share * (shared_amount(e->read_sectors, e->read_weighted) +
                                           shared_amount(e->written_sectors, e->written_weighted));
    double dirtied = sums->written.all.seen;
    double both = dirtied > 0 ? e->written_sectors * sums->both_sectors / dirtied : 0;
    totals->distinct_sectors += e->read_sectors + e->written_sectors - both;
    totals->shared_sectors += sums->shared_sectors;
    totals->all.read_sectors += e->read_sectors;
    totals->all.written_sectors += e->written_sectors;
    totals->all.ideal_bytes += e->ideal_bytes;
    totals->all.read_weighted += e->read_weighted;
    totals->all.written_weighted += e->written_weighted;
    totals->all.ideal_weighted += e->ideal_weighted;
}
