/* Footprints: for each allocation bitmaps of sectors and bytes, and of a sample which blocks touch
 * each 64 bytes. The maps are as large as the allocation asks, but their pages come as touched.
 *
 * From a sample, sectors and bytes of the grid are estimated by what blocks share (capture.c), in
 * units of 64 bytes, the pair of sectors that device memory gives; an allocation's size is the
 * limit. */
#include "sandbox/simgpu/footprint.h"

#include "grader/base/memory.h"

#include <math.h>
#include <stdlib.h>

static uint64_t *bitmap(uint64_t bits) {
    return mem_calloc((size_t)(bits / 64 + 2), sizeof(uint64_t)); /* pages come as touched */
}

void footprint_open(struct footprint *footprint, uint64_t length, uint32_t *line) {
    footprint->first_line = *line;
    footprint->length = length;
    *line += (uint32_t)((length + LINE_BYTES - 1) / LINE_BYTES) + 2;
    footprint->read_sectors = bitmap(length / SECTOR_BYTES + 4);
    footprint->dirtied_sectors = bitmap(length / SECTOR_BYTES + 4);
    footprint->read_bytes = bitmap(length);
    footprint->written_bytes = bitmap(length);
}

void footprint_close(struct footprint *footprint) {
    free(footprint->read_sectors);
    free(footprint->dirtied_sectors);
    free(footprint->read_bytes);
    free(footprint->written_bytes);
    free(footprint->readers);
    free(footprint->writers);
    free(footprint->dense);
}

void footprint_note(uint64_t **map, const struct footprint *footprint, uint64_t line,
                    uint8_t sectors, uint32_t mark) {
    if (!*map)
        *map = mem_calloc((size_t)(footprint->length / PAIR_BYTES + 4), sizeof **map);
    if (sectors & 3)
        capture_note(&(*map)[2 * line], mark);
    if (sectors & 12)
        capture_note(&(*map)[2 * line + 1], mark);
}

uint32_t footprint_dense(struct footprint *footprint, uint64_t line, uint32_t *next) {
    if (!footprint->dense)
        footprint->dense =
            mem_calloc((size_t)(footprint->length / LINE_BYTES + 2), sizeof *footprint->dense);
    if (!footprint->dense[line])
        footprint->dense[line] = (*next)++;
    return footprint->dense[line];
}

static double at_most(double value, double limit) {
    return value < limit ? value : limit;
}

struct footprint_sums {
    struct capture_sums read, written, bytes_read, bytes_written;
    double both_sectors, shared_sectors;
    double pairs, distance; /* sectors that two blocks share, and how far apart those lie */
    double by_distance[64]; /* such sectors, by the binary logarithm of the distance */
};

static unsigned bits_of(uint64_t word) {
    return (unsigned)__builtin_popcountll(word);
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

/* One pair of sectors. A byte's bit stands in the word that has the pair's number. */
static void add_pair(const struct footprint *f, const struct capture_sample *sample, uint64_t pair,
                     struct footprint_sums *sums) {
    unsigned shift = pair * 2 % 64;
    unsigned read = f->read_sectors[pair / 32] >> shift & 3;
    unsigned written = f->dirtied_sectors[pair / 32] >> shift & 3;
    uint64_t reader = f->readers ? f->readers[pair] : 0, writer = f->writers ? f->writers[pair] : 0;
    capture_add(&sums->read, reader, sectors_of(read));
    capture_add(&sums->written, writer, sectors_of(written));
    capture_add(&sums->bytes_read, reader, bits_of(f->read_bytes[pair]));
    capture_add(&sums->bytes_written, writer, bits_of(f->written_bytes[pair]));
    sums->both_sectors += sectors_of(read & written);
    add_distance(sample, reader, sectors_of(read), sums);
    add_distance(sample, writer, sectors_of(written), sums);
    if (capture_count(reader) == CAPTURE_MANY || capture_count(writer) == CAPTURE_MANY)
        sums->shared_sectors += sectors_of(read | written);
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

/* Of so many sectors, those that several blocks touch, when all touches are so many. */
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

void footprint_estimate(struct footprint *f, const struct capture_sample *sample,
                        struct memory_totals *totals) {
    cleanup_free struct footprint_sums *sums = mem_zalloc(sizeof *sums);
    const struct capture_stratum *strata = sample->strata;
    sum_footprint(f, sample, sums);
    struct memory_estimate *e = &f->estimate;
    double length = (double)f->length;
    double sectors = (double)((f->length + SECTOR_BYTES - 1) / SECTOR_BYTES);
    double pairs = (double)((f->length + PAIR_BYTES - 1) / PAIR_BYTES * 2);
    e->read_sectors = at_most(capture_estimate(&sums->read, strata), pairs);
    e->written_sectors = at_most(capture_estimate(&sums->written, strata), sectors);
    e->ideal_bytes = at_most(capture_estimate(&sums->bytes_read, strata), length) +
                     at_most(capture_estimate(&sums->bytes_written, strata), length);
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
    double written = sums->written.seen;
    double both = written > 0 ? e->written_sectors * sums->both_sectors / written : 0;
    totals->distinct_sectors += e->read_sectors + e->written_sectors - both;
    totals->shared_sectors += sums->shared_sectors;
    totals->all.read_sectors += e->read_sectors;
    totals->all.written_sectors += e->written_sectors;
    totals->all.ideal_bytes += e->ideal_bytes;
    totals->all.read_weighted += e->read_weighted;
    totals->all.written_weighted += e->written_weighted;
    totals->all.ideal_weighted += e->ideal_weighted;
}
