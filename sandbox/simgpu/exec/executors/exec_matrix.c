/* Moving fragments: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14).
 *
 * Requests are those of what ptxas 13.0 writes for sm_90: one for each unit of the fragment where
 * the unit's runs are contiguous in memory (rows of A and C kept by row, columns of B kept by
 * column). Elements of 16 bits that lie the other way are moved so, too, a unit at a time, and each
 * unit is transposed by a movmatrix; those of other widths take a request each. Factors of at most
 * 16 bits come from shared memory by ldmatrix, four units a request. f16 factors, which have every
 * element twice or more, load it once. */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

static const struct matrix *matrix_of(const struct warp *warp, const struct insn *insn) {
    return &warp->block->launch->program->matrices[insn->matrix];
}

/* These instructions are the whole warp's: lanes that do not exist or have exited are missing. */
static void check_whole_warp(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (lanes != ALL_LANES && warp->block->launch->checks)
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_WARP_MASK_MISMATCH, SEVERITY_ERROR,
                      lanes,
                      "a matrix operation needs all 32 threads of a warp, and %d execute it: is "
                      "the block's size a multiple of 32?",
                      __builtin_popcount(lanes));
}

static uint64_t read_element(const struct warp *warp, const struct fragment *fragment,
                             unsigned lane, unsigned element) {
    unsigned register_bits = fragment->bits == 64 ? 64 : 32, bit = element * fragment->bits;
    const unsigned char *vector = lane_vector(warp, fragment->registers[bit / register_bits]);
    uint64_t value = 0;
    memcpy(&value, vector + (size_t)lane * (register_bits / 8), register_bits / 8);
    return value >> bit % register_bits;
}

static void write_bits(const struct warp *warp, const struct fragment *fragment, unsigned lane,
                       unsigned element, uint64_t value, unsigned bits) {
    unsigned register_bits = fragment->bits == 64 ? 64 : 32, bit = element * fragment->bits;
    unsigned char *vector = lane_vector(warp, fragment->registers[bit / register_bits]);
    unsigned char *to = vector + (size_t)lane * (register_bits / 8) + bit % register_bits / 8;
    memcpy(to, &value, bits / 8);
}

/* "load_matrix_sync" wants pointers aligned to 32 bytes and a stride of whole 16 bytes. Cards do
 * not check it, and results are right as long as each access is aligned. */
static void check_alignment(struct warp *warp, const struct insn *insn, lane_mask lanes,
                            const struct fragment *fragment, uint64_t base, uint32_t stride) {
    uint64_t stride_bytes = (uint64_t)stride * fragment->bits / 8;
    if (!warp->block->launch->checks ||
        (base % 32 == 0 && (stride_bytes % 16 == 0 || fragment->bits < 16)))
        return;
    hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_MISALIGNED, SEVERITY_WARNING, lanes,
                  base % 32 ? "the address of a matrix tile (0x%llx) is not a multiple of 32 "
                              "bytes, as load_matrix_sync and store_matrix_sync require"
                            : "the rows of a matrix tile are 0x%llx bytes apart: not a multiple "
                              "of 16, as load_matrix_sync and store_matrix_sync require",
                  (unsigned long long)(base % 32 ? base : stride_bytes));
}

struct tile {
    device_address base[WARP_LANES];
    const uint32_t *strides;
    struct fragment lying; /* as it lies in memory */
    bool crossed;          /* other than in registers: units are transposed */
    unsigned together;     /* elements of a lane that one request moves */
};

static struct tile tile_open(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const struct matrix *matrix) {
    const struct fragment *fragment = &matrix->d;
    bool contiguous = fragment->by_column == fragment->column_major;
    struct tile tile = {.strides = lane_vector(warp, matrix->stride),
                        .lying = *fragment,
                        .crossed = !contiguous && fragment->bits == 16};
    access_addresses(warp, insn->operands[0], insn->address32, matrix->offset, tile.base);
    tile.together = contiguous || tile.crossed ? fragment->run : 1;
    tile.lying.by_column ^= tile.crossed;
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    check_alignment(warp, insn, lanes, fragment, tile.base[lane], tile.strides[lane]);
    return tile;
}

/* Where lane `lane` of a unit's runs finds the element; the base and the stride are `asking`'s. */
static device_address element_address(const struct tile *tile, unsigned asking, unsigned lane,
                                      unsigned element) {
    const struct fragment *lying = &tile->lying;
    struct element_place place = fragment_place(lying, lane, element);
    uint64_t stride = tile->strides[asking];
    uint64_t index =
        lying->column_major ? place.column * stride + place.row : place.row * stride + place.column;
    return tile->base[asking] + index * lying->bits / 8;
}

static void tile_addresses(const struct tile *tile, unsigned element, device_address *addresses) {
    FOR_EACH_LANE(lane) addresses[lane] = element_address(tile, lane, lane, element);
}

/* Units of which each lane has 32 bits, in one register. */
static bool has_words(const struct tile *tile) {
    return tile->together > 1 && tile->together * tile->lying.bits == 32;
}

/* The element's request into registers, and into those of its copies: lanes that may not read get
 * zeros. */
static void take_bits(const struct warp *warp, const struct fragment *fragment, lane_mask lanes,
                      lane_mask allowed, unsigned char *const *places, unsigned element,
                      unsigned bits) {
    unsigned register_bits = fragment->bits == 64 ? 64 : 32;
    unsigned elements = (unsigned)fragment->units * fragment->run;
    unsigned in_all = fragment->count * register_bits / fragment->bits;
    unsigned part = bits < register_bits ? bits : register_bits;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t words[2] = {0, 0};
        if (allowed >> lane & 1)
            memcpy(words, places[lane], bits / 8);
        for (unsigned copy = element; copy < in_all; copy += elements)
            for (unsigned done = 0; done < bits; done += part)
                write_bits(warp, fragment, lane, copy + done / fragment->bits,
                           words[done / 64] >> done % 64, part);
    }
}

/* The same for whole registers and all lanes, as it nearly always is. */
static void take_registers(const struct warp *warp, const struct fragment *fragment,
                           unsigned char *const *places, unsigned element, unsigned bits) {
    unsigned elements = (unsigned)fragment->units * fragment->run;
    unsigned in_all = fragment->count * 32u / fragment->bits;
    for (unsigned word = 0; word < bits / 32; word++) {
        uint32_t values[WARP_LANES];
        FOR_EACH_LANE(lane) memcpy(&values[lane], places[lane] + 4 * word, 4);
        for (unsigned copy = element; copy < in_all; copy += elements)
            memcpy(lane_vector(warp, fragment->registers[copy * fragment->bits / 32 + word]),
                   values, sizeof values);
    }
}

/* The word of an 8 by 8 matrix of 16-bit elements that a lane gets of its transpose. */
static uint32_t transposed_word(const uint32_t *words, unsigned lane) {
    uint32_t halves[2];
    for (unsigned half = 0; half < 2; half++) {
        unsigned row = 2 * (lane & 3) + half, column = lane >> 2;
        halves[half] = words[4 * row + column / 2] >> 16 * (column & 1) & 0xffff;
    }
    return halves[0] | halves[1] << 16;
}

enum { ROW_BYTES = 16, MATRIX_ROWS = 8, MATRICES = 4 /* of a request */ };

/* Words of `count` units of shared memory as ldmatrix asks for them: lane 8 i + r for row r of unit
 * i. False where it cannot: rows are no multiples of 16 bytes. */
static bool fetch_rows(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const struct tile *tile, unsigned first, unsigned count,
                       uint32_t (*words)[WARP_LANES]) {
    device_address addresses[WARP_LANES], odd = 0;
    unsigned char *places[WARP_LANES];
    FOR_EACH_LANE(lane) {
        unsigned unit = first + lane / MATRIX_ROWS % count;
        addresses[lane] =
            element_address(tile, lane, lane % MATRIX_ROWS * 4, unit * tile->together);
        odd |= addresses[lane];
    }
    if (odd % ROW_BYTES)
        return false;
    lane_mask asking = count == MATRICES ? ALL_LANES : ((lane_mask)1 << MATRIX_ROWS * count) - 1;
    lane_mask allowed =
        access_counted(warp, insn, asking & lanes, addresses, ROW_BYTES, false, places);
    memset(words, 0, count * sizeof *words);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(&words[lane / MATRIX_ROWS][lane % MATRIX_ROWS * 4], places[lane], ROW_BYTES);
    }
    return true;
}

/* The same, a request a unit. */
static void fetch_units(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        const struct tile *tile, unsigned first, unsigned count,
                        uint32_t (*words)[WARP_LANES]) {
    for (unsigned unit = 0; unit < count; unit++) {
        device_address addresses[WARP_LANES];
        unsigned char *places[WARP_LANES];
        tile_addresses(tile, (first + unit) * tile->together, addresses);
        lane_mask allowed = access_counted(warp, insn, lanes, addresses, 4, false, places);
        memset(words[unit], 0, sizeof words[unit]);
        for (lane_mask rest = allowed; rest; rest &= rest - 1)
            memcpy(&words[unit][__builtin_ctz(rest)], places[__builtin_ctz(rest)], 4);
    }
}

static void load_words(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       const struct tile *tile) {
    const struct fragment *fragment = &tile->lying;
    bool rows = insn->space == SPACE_SHARED && fragment->factor;
    for (unsigned first = 0; first < fragment->units; first += MATRICES) {
        uint32_t words[MATRICES][WARP_LANES];
        unsigned left = fragment->units - first, count = left < MATRICES ? left : MATRICES;
        if (!rows || !fetch_rows(warp, insn, lanes, tile, first, count, words))
            fetch_units(warp, insn, lanes, tile, first, count, words);
        for (unsigned unit = 0; unit < count; unit++)
            for (unsigned copy = first + unit; copy < fragment->count; copy += fragment->units) {
                uint32_t *to = lane_vector(warp, fragment->registers[copy]);
                WRITE_LANES(to,
                            tile->crossed ? transposed_word(words[unit], lane) : words[unit][lane]);
            }
    }
}

EXECUTOR(wmma_load) {
    const struct matrix *matrix = matrix_of(warp, insn);
    const struct fragment *fragment = &matrix->d;
    check_whole_warp(warp, insn, lanes);
    struct tile tile = tile_open(warp, insn, lanes, matrix);
    if (has_words(&tile)) {
        load_words(warp, insn, lanes, &tile);
        return;
    }
    unsigned elements = (unsigned)fragment->units * fragment->run;
    unsigned bits = tile.together * fragment->bits;
    for (unsigned element = 0; element < elements; element += tile.together) {
        device_address addresses[WARP_LANES];
        unsigned char *places[WARP_LANES];
        tile_addresses(&tile, element, addresses);
        lane_mask allowed = access_counted(warp, insn, lanes, addresses, bits / 8, false, places);
        bool whole = (lanes & allowed) == ALL_LANES && fragment->bits < 64 && bits % 32 == 0;
        if (whole && element * fragment->bits % 32 == 0)
            take_registers(warp, fragment, places, element, bits);
        else
            take_bits(warp, fragment, lanes, allowed, places, element, bits);
    }
}

EXECUTOR(wmma_store) {
    const struct matrix *matrix = matrix_of(warp, insn);
    const struct fragment *fragment = &matrix->d;
    check_whole_warp(warp, insn, lanes);
    struct tile tile = tile_open(warp, insn, lanes, matrix);
    unsigned elements = (unsigned)fragment->units * fragment->run;
    unsigned bytes = fragment->bits / 8u;
    for (unsigned element = 0; element < elements; element += tile.together) {
        device_address addresses[WARP_LANES];
        unsigned char *places[WARP_LANES];
        tile_addresses(&tile, element, addresses);
        lane_mask allowed =
            access_counted(warp, insn, lanes, addresses, tile.together * bytes, true, places);
        const uint32_t *words =
            tile.crossed ? lane_vector(warp, fragment->registers[element / fragment->run]) : NULL;
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (words) {
                uint32_t word = transposed_word(words, lane);
                memcpy(places[lane], &word, sizeof word);
                continue;
            }
            for (unsigned i = 0; i < tile.together; i++) {
                uint64_t value = read_element(warp, fragment, lane, element + i);
                memcpy(places[lane] + (size_t)i * bytes, &value, bytes);
            }
        }
    }
}

/* ldmatrix and stmatrix: lane 8 i + r gives the address of row r of matrix i, 16 bytes; lane l
 * holds elements 2 (l % 4) and the next of row l / 4, or of that column with .trans. */
static lane_mask row_lanes(const struct matrix *matrix) {
    return matrix->d.count == 4 ? ALL_LANES : ((lane_mask)1 << 8 * matrix->d.count) - 1;
}

EXECUTOR(ldmatrix) {
    const struct matrix *matrix = matrix_of(warp, insn);
    device_address addresses[WARP_LANES];
    unsigned char *places[WARP_LANES];
    uint16_t rows[4 * MATRIX_ROWS][MATRIX_ROWS] = {{0}};
    check_whole_warp(warp, insn, lanes);
    access_addresses(warp, insn->operands[0], insn->address32, matrix->offset, addresses);
    lane_mask allowed =
        access_counted(warp, insn, row_lanes(matrix) & lanes, addresses, ROW_BYTES, false, places);
    for (lane_mask rest = allowed; rest; rest &= rest - 1)
        memcpy(rows[__builtin_ctz(rest)], places[__builtin_ctz(rest)], ROW_BYTES);
    for (unsigned i = 0; i < matrix->d.count; i++) {
        uint32_t *d = lane_vector(warp, matrix->d.registers[i]);
        uint16_t(*from)[MATRIX_ROWS] = &rows[i * MATRIX_ROWS];
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            unsigned row = lane >> 2, first = 2 * (lane & 3);
            uint32_t low = matrix->transpose ? from[first][row] : from[row][first];
            uint32_t high = matrix->transpose ? from[first + 1][row] : from[row][first + 1];
            d[lane] = low | high << 16;
        }
    }
}

EXECUTOR(stmatrix) {
    const struct matrix *matrix = matrix_of(warp, insn);
    device_address addresses[WARP_LANES];
    unsigned char *places[WARP_LANES];
    uint16_t rows[4 * MATRIX_ROWS][MATRIX_ROWS];
    check_whole_warp(warp, insn, lanes);
    access_addresses(warp, insn->operands[0], insn->address32, matrix->offset, addresses);
    for (unsigned i = 0; i < matrix->d.count; i++) {
        const uint32_t *d = lane_vector(warp, matrix->d.registers[i]);
        uint16_t(*to)[MATRIX_ROWS] = &rows[i * MATRIX_ROWS];
        FOR_EACH_LANE(lane)
        for (unsigned half = 0; half < 2; half++) {
            unsigned row = lane >> 2, column = 2 * (lane & 3) + half;
            *(matrix->transpose ? &to[column][row] : &to[row][column]) =
                (uint16_t)(d[lane] >> 16 * half);
        }
    }
    lane_mask allowed =
        access_counted(warp, insn, row_lanes(matrix) & lanes, addresses, ROW_BYTES, true, places);
    for (lane_mask rest = allowed; rest; rest &= rest - 1)
        memcpy(places[__builtin_ctz(rest)], rows[__builtin_ctz(rest)], ROW_BYTES);
}

/* The transpose of an 8 by 8 matrix of 16-bit elements that lies in one register of each lane. */
EXECUTOR(movmatrix) {
    uint32_t *d = VECTOR_AT(uint32_t, 0), result[WARP_LANES];
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    check_whole_warp(warp, insn, lanes);
    FOR_EACH_LANE(lane) result[lane] = transposed_word(a, lane);
    WRITE_LANES(d, result[lane]);
}
