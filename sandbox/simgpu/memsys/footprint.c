/* Footprints: for each allocation bitmaps of sectors and bytes, and of a sample which blocks touch
 * each 64 bytes. The maps are as large as the allocation asks, but their pages come as touched.
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

/* ---- the maps: how many words each has ------------------------------------------------------- */

enum { WORDS_A_PAIR = PAIR_BYTES / 4 };

/* Where the words of a chosen pair stand. */
static uint64_t place_of(const struct footprint *footprint, uint64_t pair) {
    return (pair >> footprint->run_bits) * WORDS_A_PAIR;
}

static size_t sector_bits(const struct footprint *footprint) {
    return (size_t)((footprint->length / SECTOR_BYTES + 4) / 64 + 2);
}

static size_t byte_bits(const struct footprint *footprint) {
    return (size_t)(footprint->length / 64 + 2);
}

static size_t pairs_in(const struct footprint *footprint) {
    return (size_t)(footprint->length / PAIR_BYTES + 4);
}

static size_t sectors_of_all(const struct footprint *footprint) {
    return (size_t)(footprint->length / SECTOR_BYTES + 8);
}

static size_t words_watched(const struct footprint *footprint) {
    return (size_t)(place_of(footprint, footprint->length / PAIR_BYTES) + 2 * WORDS_A_PAIR);
}

static size_t lines_in(const struct footprint *footprint) {
    return (size_t)(footprint->length / LINE_BYTES + 2);
}

static uint64_t *open_map(size_t words) {
    return mem_sparse(words, sizeof(uint64_t));
}

static void close_map(uint64_t *map, size_t words) {
    mem_sparse_free(map, words, sizeof(uint64_t));
}

void footprint_open(struct footprint *footprint, uint64_t length, uint32_t *line) {
    footprint->first_line = *line;
    footprint->length = length;
    footprint->run_bits = length > ALL_WORDS_BYTES ? RUN_BITS : 0;
    *line += (uint32_t)((length + LINE_BYTES - 1) / LINE_BYTES) + 2;
    footprint->read_sectors = open_map(sector_bits(footprint));
    footprint->dirtied_sectors = open_map(sector_bits(footprint));
    footprint->read_bytes = open_map(byte_bits(footprint));
    footprint->written_bytes = open_map(byte_bits(footprint));
}

void footprint_close(struct footprint *footprint) {
    close_map(footprint->read_sectors, sector_bits(footprint));
    close_map(footprint->dirtied_sectors, sector_bits(footprint));
    close_map(footprint->read_bytes, byte_bits(footprint));
    close_map(footprint->written_bytes, byte_bits(footprint));
    close_map(footprint->readers, pairs_in(footprint));
    close_map(footprint->writers, sectors_of_all(footprint));
    close_map(footprint->word_readers, words_watched(footprint));
    close_map(footprint->word_writers, words_watched(footprint));
    mem_sparse_free(footprint->dense, lines_in(footprint), sizeof *footprint->dense);
    mem_sparse_free(footprint->storers, lines_in(footprint), sizeof *footprint->storers);
}

void footprint_note_readers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark) {
    if (!footprint->readers)
        footprint->readers = open_map(pairs_in(footprint));
    for (unsigned pair = 0; pair < 2; pair++)
        if (sectors >> 2 * pair & 3)
            capture_note(&footprint->readers[2 * line + pair], mark);
}

void footprint_note_writers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark) {
    if (!footprint->writers)
        footprint->writers = open_map(sectors_of_all(footprint));
    for (unsigned sector = 0; sector < 4; sector++)
        if (sectors >> sector & 1)
            capture_note(&footprint->writers[4 * line + sector], mark);
}

void footprint_note_storer(struct footprint *footprint, uint64_t line, uint64_t block,
                           struct writeback_locality *pieces) {
    size_t count = (size_t)((footprint->length + LINE_BYTES - 1) / LINE_BYTES);
    if (!footprint->storers)
        footprint->storers = mem_sparse(lines_in(footprint), sizeof *footprint->storers);
    writeback_locality_note(pieces, footprint->storers, count, (size_t)line, block);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_marked(const uint64_t *bytes, uint64_t word) {
    return bytes[word / 16] >> word % 16 * 4 & 15;
}

static void note_word(uint64_t **map, const struct footprint *footprint, uint64_t at,
                      uint32_t mark) {
    if (!*map)
        *map = open_map(words_watched(footprint));
    capture_note(&(*map)[at], mark);
}

void footprint_note_chosen(struct footprint *footprint, uint64_t offset, uint64_t bytes, bool reads,
                           bool writes, uint32_t mark) {
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    for (uint64_t pair = first / WORDS_A_PAIR; pair <= last / WORDS_A_PAIR; pair++) {
        if (!footprint_is_chosen(footprint, pair))
            continue;
        uint64_t place = place_of(footprint, pair), from = pair * WORDS_A_PAIR,
                 end = from + WORDS_A_PAIR - 1;
        for (uint64_t word = first > from ? first : from; word <= (last < end ? last : end);
             word++) {
            /* what is read after it was written is in no map of bytes read */
            if (reads && is_marked(footprint->read_bytes, word))
                note_word(&footprint->word_readers, footprint, place + word - from, mark);
            if (writes)
                note_word(&footprint->word_writers, footprint, place + word - from, mark);
        }
    }
}

uint32_t footprint_dense(struct footprint *footprint, uint64_t line, uint32_t *next) {
    if (!footprint->dense)
        footprint->dense = mem_sparse(lines_in(footprint), sizeof *footprint->dense);
    if (!footprint->dense[line])
        footprint->dense[line] = (*next)++;
    return footprint->dense[line];
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
    uint64_t words = footprint->is_written ? (footprint->length / SECTOR_BYTES + 4) / 64 + 1 : 0;
    for (uint64_t word = 0; word < words; word++) {
        uint64_t dirty = footprint->dirtied_sectors[word];
        uint64_t given = dirty & footprint->read_sectors[word];
        *dirtied += bits_of(dirty);
        *whole += bits_of(given);
        for (uint64_t rest = dirty & ~given; rest; rest &= rest - 1) {
            uint64_t sector = word * 64 + (uint64_t)__builtin_ctzll(rest);
            uint64_t bytes = footprint->written_bytes[sector / 2] >> sector % 2 * SECTOR_BYTES;
            *whole += bits_of(bytes & UINT32_MAX) / (double)SECTOR_BYTES;
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

static void add_words(const struct footprint *f, const struct capture_sample *sample, uint64_t pair,
                      struct footprint_sums *sums) {
    uint64_t place = place_of(f, pair);
    uint64_t read = f->read_bytes[pair], written = f->written_bytes[pair];
    if (!footprint_is_chosen(f, pair))
        return;
    for (unsigned word = 0; word < WORDS_A_PAIR; word++) {
        if (f->word_readers)
            capture_add(&sums->words_read, sample, f->word_readers[place + word],
                        bits_of(read >> word * 4 & 15));
        if (f->word_writers)
            capture_add(&sums->words_written, sample, f->word_writers[place + word],
                        bits_of(written >> word * 4 & 15));
    }
}

/* One pair of sectors. A byte's bit stands in the word that has the pair's number. */
static void add_pair(const struct footprint *f, const struct capture_sample *sample, uint64_t pair,
                     struct footprint_sums *sums) {
    unsigned shift = pair * 2 % 64;
    unsigned read = f->read_sectors[pair / 32] >> shift & 3;
    unsigned written = f->dirtied_sectors[pair / 32] >> shift & 3;
    uint64_t reader = f->readers ? f->readers[pair] : 0;
    unsigned shared = capture_count(reader) == CAPTURE_MANY ? read | written : 0;
    capture_add(&sums->read, sample, reader, sectors_of(read));
    for (unsigned i = 0; i < 2; i++) {
        uint64_t writer = f->writers && written >> i & 1 ? f->writers[2 * pair + i] : 0;
        capture_add(&sums->written, sample, writer, written >> i & 1);
        add_distance(sample, writer, 1, sums);
        shared |= capture_count(writer) == CAPTURE_MANY ? 1U << i : 0;
    }
    sums->bytes_read += bits_of(f->read_bytes[pair]);
    sums->bytes_written += bits_of(f->written_bytes[pair]);
    add_words(f, sample, pair, sums);
    sums->both_sectors += sectors_of(read & written);
    add_distance(sample, reader, sectors_of(read), sums);
    sums->shared_sectors += sectors_of(shared);
}

static void sum_footprint(const struct footprint *f, const struct capture_sample *sample,
                          struct footprint_sums *sums) {
    uint64_t words = f->length / (32 * PAIR_BYTES) + 1; /* of the maps of sectors: 32 pairs each */
    for (uint64_t word = 0; word < words; word++)
        for (uint64_t pair = word * 32;
             (f->read_sectors[word] | f->dirtied_sectors[word]) && pair < (word + 1) * 32; pair++)
            if (pair < f->length / PAIR_BYTES + 1)
                add_pair(f, sample, pair, sums);
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
