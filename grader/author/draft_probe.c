/* What a kernel does with its buffers, seen on the simulated GPU.
 *
 * All buffers are far too large at first, and each launch that an expression of the sizes gives is
 * tried: the one that makes the kernel write the most, and of equal ones the first, is the draft's.
 * Then each buffer in turn is made as small as an expression allows without an access out of
 * bounds. Sizes are different primes, so that an extent tells which of them it comes from. */
#include "grader/author/draft.h"

#include "grader/source/code.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 1 << 19, /* elements */
    MAX_TERMS = 32,
    PROBE_SECONDS = 10,
    PROBE_BUDGET = 2000000000,
    POISON = 0xa5,
    OTHER_POISON = 0x5a,
    DEFAULT_BLOCK = 256,
    DEFAULT_TILE = 16,
};

struct term {
    char text[DRAFT_SHAPE_BYTES];
    int64_t value;
    size_t slow, fast; /* extents of a matrix: indices into draft.sizes, else both SIZE_MAX */
};

struct terms {
    struct term items[MAX_TERMS];
    size_t count;
};

struct probe {
    struct draft *draft;
    int64_t values[DRAFT_MAX_SIZES];
    struct dim3 grid, block;
    uint64_t counts[DRAFT_MAX_PARAMS];
    /* what came of it */
    bool clean; /* it ended, and no hazard but of reading what was never written */
    bool outside[DRAFT_MAX_PARAMS], read_first[DRAFT_MAX_PARAMS];
    uint64_t written[DRAFT_MAX_PARAMS], extent[DRAFT_MAX_PARAMS];
    char problem[512];
    uint64_t first_extent[DRAFT_MAX_PARAMS]; /* of the launch that was chosen */
};

static bool is_buffer(const struct draft_param *param) {
    return param->role == ROLE_IN || param->role == ROLE_OUT || param->role == ROLE_INOUT;
}

static const char *size_name(const struct draft *draft, size_t index) {
    return draft->params[draft->sizes[index]].name;
}

/* ---- one launch ------------------------------------------------------------------------------ */

static void fill_input(enum element_type type, uint64_t count, unsigned char *at) {
    uint64_t state = 88172645463325252u;
    unsigned range = type == ELEMENT_u8 ? 256 : type == ELEMENT_i8 ? 128 : 5;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned draw = (unsigned)(state >> 40) % range;
        float single = (float)draw * 0.25f - 0.5f;
        double wide = single;
        static const uint16_t halves[] = {0xb800, 0xb400, 0x0000, 0x3400, 0x3800};
        uint64_t whole = draw;
        const void *from = &whole;
        if (type == ELEMENT_f32)
            from = &single;
        else if (type == ELEMENT_f64)
            from = &wide;
        else if (type == ELEMENT_f16)
            from = &halves[draw];
        memcpy(at + i * element_infos[type].bytes, from, element_infos[type].bytes);
    }
}

static size_t lay_out(const struct probe *probe, struct engine_argument *arguments) {
    size_t length = 0, size = 0;
    for (size_t i = 0; i < probe->draft->param_count; i++) {
        const struct draft_param *param = &probe->draft->params[i];
        struct engine_argument *argument = &arguments[i];
        *argument = (struct engine_argument){.type = param->type, .is_buffer = is_buffer(param)};
        snprintf(argument->name, sizeof argument->name, "%s", param->name);
        if (param->role == ROLE_SIZE)
            argument->scalar = (uint64_t)probe->values[size++];
        else if (!argument->is_buffer)
            fill_input(param->type, 1, (unsigned char *)&argument->scalar);
        if (!argument->is_buffer)
            continue;
        argument->count = argument->shape[0] = probe->counts[i];
        argument->rank = 1;
        argument->uninitialized = param->role != ROLE_IN;
        argument->data_offset = length;
        length += (probe->counts[i] * element_infos[param->type].bytes + 511) & ~(size_t)255;
    }
    return length;
}

static void note_hazards(struct probe *probe, const struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++) {
        const struct hazard *hazard = &result->hazards[i];
        size_t length = strcspn(hazard->variable, "[");
        bool is_known = false;
        for (size_t j = 0; j < probe->draft->param_count; j++) {
            const char *name = probe->draft->params[j].name;
            if (strlen(name) != length || memcmp(name, hazard->variable, length) != 0)
                continue;
            probe->outside[j] |= hazard->kind == HAZARD_OUT_OF_BOUNDS;
            probe->read_first[j] |= hazard->kind == HAZARD_UNINITIALIZED_READ;
            is_known |= hazard->kind == HAZARD_UNINITIALIZED_READ;
        }
        if (is_known || hazard->severity != SEVERITY_ERROR)
            continue;
        probe->clean = false;
        if (!probe->problem[0])
            snprintf(probe->problem, sizeof probe->problem, "%s in line %u: %.400s",
                     hazard_infos[hazard->kind].name, hazard->line, hazard->message);
    }
}

/* Was the element written? One of a single byte may be written with the poison itself, but not with
 * another poison as well; `other` is NULL where none is so small. */
static bool is_written(const unsigned char *at, const unsigned char *other, size_t bytes) {
    for (size_t b = 0; b < bytes; b++)
        if (at[b] != POISON || (other && other[b] != OTHER_POISON))
            return true;
    return false;
}

static void note_writes(struct probe *probe, const struct engine_argument *arguments,
                        const unsigned char *data, const unsigned char *other) {
    for (size_t i = 0; i < probe->draft->param_count; i++) {
        if (!arguments[i].is_buffer || probe->draft->params[i].role == ROLE_IN)
            continue;
        size_t bytes = element_infos[arguments[i].type].bytes;
        const unsigned char *at = data + arguments[i].data_offset;
        for (uint64_t e = 0; e < arguments[i].count; e++)
            if (is_written(at + e * bytes, other ? other + (at - data) + e * bytes : NULL, bytes)) {
                probe->written[i]++;
                probe->extent[i] = e + 1;
            }
    }
}

/* All that is no input starts as the poison; `data` is then what stands there after the launch. */
static enum status run(const struct probe *probe, const struct engine_argument *arguments,
                       size_t length, int poison, unsigned char *data, struct engine_result *result,
                       struct error *error) {
    const struct draft *draft = probe->draft;
    memset(data, poison, length);
    for (size_t i = 0; i < draft->param_count; i++)
        if (arguments[i].is_buffer && draft->params[i].role == ROLE_IN)
            fill_input(arguments[i].type, arguments[i].count, data + arguments[i].data_offset);
    struct engine_launch request = {.ptx = draft->build.ptx,
                                    .ptx_length = draft->build.ptx_length,
                                    .kernel = draft->kernel->lowered,
                                    .file_name = "kernel.cu",
                                    .grid = probe->grid,
                                    .block = probe->block,
                                    .shared_bytes = draft->shared_bytes,
                                    .arguments = arguments,
                                    .argument_count = draft->param_count,
                                    .data = data,
                                    .data_length = length,
                                    .budget = PROBE_BUDGET};
    struct worker_limits limits = {.wall_seconds = PROBE_SECONDS,
                                   .memory_bytes = UINT64_C(1) << 31};
    return engine_run(&request, &limits, result, error);
}

static bool has_small_output(const struct draft *draft) {
    for (size_t i = 0; i < draft->param_count; i++)
        if ((draft->params[i].role == ROLE_OUT || draft->params[i].role == ROLE_INOUT) &&
            element_infos[draft->params[i].type].bytes == 1)
            return true;
    return false;
}

static enum status launch(struct probe *probe, struct error *error) {
    struct engine_argument arguments[DRAFT_MAX_PARAMS];
    size_t length = lay_out(probe, arguments);
    cleanup_free unsigned char *data = mem_alloc(length + 1), *other = NULL;
    struct engine_result result;
    if (has_small_output(probe->draft)) {
        other = mem_alloc(length + 1);
        enum status status = run(probe, arguments, length, OTHER_POISON, other, &result, error);
        if (status != STATUS_OK)
            return status;
        engine_result_free(&result);
    }
    enum status status = run(probe, arguments, length, POISON, data, &result, error);
    if (status != STATUS_OK)
        return status;
    probe->clean = result.end == ENGINE_COMPLETED;
    probe->problem[0] = '\0';
    memset(probe->outside, 0, sizeof probe->outside);
    memset(probe->read_first, 0, sizeof probe->read_first);
    memset(probe->written, 0, sizeof probe->written);
    memset(probe->extent, 0, sizeof probe->extent);
    if (!probe->clean)
        snprintf(probe->problem, sizeof probe->problem, "%.500s", result.message);
    note_hazards(probe, &result);
    note_writes(probe, arguments, data, other);
    engine_result_free(&result);
    return STATUS_OK;
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Of `blockIdx.x * TILE`, where TILE is a number or a macro that is one; 0: the code does not say.
 */
static unsigned block_in_code(const struct draft *draft) {
    struct code code;
    unsigned found = 0;
    code_read(draft->source, draft->length, &code);
    for (size_t i = 0; i + 4 < code.count && !found; i++) {
        if (!code_is(&code, i, "blockIdx") || !code_is(&code, i + 3, "*"))
            continue;
        const struct code_token *by = &code.tokens[i + 4];
        cleanup_free char *name = mem_strndup(by->start, by->length);
        if (by->kind == SOURCE_NUMBER)
            found = (unsigned)strtoul(name, NULL, 10);
        for (size_t d = 0; d + 2 < code.count && !found; d++)
            if (code_is(&code, d, "define") && code_is(&code, d + 1, name))
                found = (unsigned)strtoul(code.tokens[d + 2].start, NULL, 10);
    }
    code_free(&code);
    return found <= 1024 ? found : 0;
}

/* Of `__launch_bounds__(N)`; 0: there is none. */
static unsigned bound_in_code(const struct draft *draft) {
    struct code code;
    unsigned found = 0;
    code_read(draft->source, draft->length, &code);
    for (size_t i = 0; i + 2 < code.count && !found; i++)
        if (code_is(&code, i, "__launch_bounds__") && code.tokens[i + 2].kind == SOURCE_NUMBER)
            found = (unsigned)strtoul(code.tokens[i + 2].start, NULL, 10);
    code_free(&code);
    return found <= 1024 ? found : 0;
}

/* The side of the largest square of a power of two. */
static unsigned tile_within(unsigned threads) {
    unsigned side = 1;
    while (4 * side * side <= threads)
        side *= 2;
    return side;
}

static void choose_block(struct probe *probe, unsigned given) {
    struct draft *draft = probe->draft;
    unsigned own = given ? given : block_in_code(draft), bound = bound_in_code(draft);
    if (!own && bound && bound < DEFAULT_BLOCK)
        own = draft->axes == 2 && !draft->is_flat ? tile_within(bound) : bound;
    if (draft->axes == 2 && !draft->is_flat) {
        unsigned tile = own && own <= 32 ? own : DEFAULT_TILE;
        draft->block[0] = draft->block[1] = tile;
    } else {
        draft->block[0] = own ? own : DEFAULT_BLOCK;
        draft->block[1] = 1;
    }
    probe->block = (struct dim3){draft->block[0], draft->block[1], 1};
}

static struct term *add_term(struct terms *terms, int64_t value) {
    static struct term spare;
    struct term *term = terms->count < MAX_TERMS ? &terms->items[terms->count++] : &spare;
    *term = (struct term){.value = value, .slow = SIZE_MAX, .fast = SIZE_MAX};
    return term;
}

static uint32_t blocks_of(int64_t work, unsigned block) {
    return (uint32_t)((work + block - 1) / block);
}

static void add_blocks(struct terms *terms, const char *work, int64_t value, unsigned unit) {
    struct term *term = add_term(terms, blocks_of(value, unit));
    snprintf(term->text, DRAFT_SHAPE_BYTES,
             unit == 1 ? "max(1, %.80s)" : "max(1, ceil_div(%.70s, %u))", work, unit);
}

/* How many blocks an axis may have: for each size, products of two where blocks are tiles of
 * something, and a block for each of a size where the code takes blockIdx for its index. */
static void add_grids(const struct probe *probe, unsigned axis, struct terms *terms) {
    const struct draft *draft = probe->draft;
    unsigned unit = draft->block[axis];
    for (size_t i = 0; i < draft->size_count; i++)
        add_blocks(terms, size_name(draft, i), probe->values[i], unit);
    for (size_t i = 0; i < draft->size_count && !draft->is_flat; i++)
        for (size_t j = i + 1; j < draft->size_count; j++) {
            cleanup_free char *work =
                mem_printf("%.34s * %.34s", size_name(draft, i), size_name(draft, j));
            add_blocks(terms, work, probe->values[i] * probe->values[j], unit);
        }
    for (size_t i = 0; i < draft->size_count && draft->by_block[axis] && unit != 1; i++)
        add_blocks(terms, size_name(draft, i), probe->values[i], 1);
    if (draft->size_count == 0)
        add_blocks(terms, "1", 1, unit);
}

static uint64_t total_written(const struct probe *probe) {
    uint64_t sum = 0;
    for (size_t i = 0; i < probe->draft->param_count; i++)
        sum += probe->written[i];
    return sum;
}

/* The launch that writes the most; of the blocks' number on the second axis `ys` alike. */
static enum status choose_grid(struct probe *probe, struct error *error) {
    struct draft *draft = probe->draft;
    struct terms columns = {0}, rows = {.count = 1, .items = {{.text = "1", .value = 1}}};
    uint64_t most = 0;
    bool any = false;
    add_grids(probe, 0, &columns);
    if (draft->axes == 2) {
        rows.count = 0;
        add_grids(probe, 1, &rows);
    }
    char problem[sizeof probe->problem] = "";
    struct dim3 best = {1, 1, 1};
    for (size_t x = 0; x < columns.count; x++)
        for (size_t y = 0; y < rows.count; y++) {
            probe->grid =
                (struct dim3){(uint32_t)columns.items[x].value, (uint32_t)rows.items[y].value, 1};
            enum status status = launch(probe, error);
            if (status != STATUS_OK)
                return status;
            if (!probe->clean && !problem[0])
                memcpy(problem, probe->problem, sizeof problem);
            if (!probe->clean || (any && total_written(probe) <= most))
                continue;
            any = true;
            most = total_written(probe);
            best = probe->grid;
            snprintf(draft->grid[0], DRAFT_SHAPE_BYTES, "%s", columns.items[x].text);
            snprintf(draft->grid[1], DRAFT_SHAPE_BYTES, "%s", rows.items[y].text);
        }
    probe->grid = best;
    if (!any) {
        error_set(error, STATUS_INVALID, "%s does not run by itself: %.700s", draft->kernel->name,
                  problem);
        error_hint(error,
                   "It was launched with blocks of %u x %u threads and %u bytes of dynamic shared "
                   "memory: --block N and --shared BYTES say what it needs.",
                   draft->block[0], draft->block[1], draft->shared_bytes);
        return STATUS_INVALID;
    }
    return launch(probe, error); /* what the best one has written */
}

/* One element a thread, else two, ...: the first of them with which it runs. */
static enum status choose_shared(struct probe *probe, unsigned given, struct error *error) {
    enum { MOST_BYTES = 48 << 10, MOST_A_THREAD = 8 };
    struct draft *draft = probe->draft;
    struct error first = {0};
    unsigned bytes = draft->shared_unit * draft->block[0] * draft->block[1];
    draft->shared_bytes = given ? given : bytes;
    enum status status = choose_grid(probe, &first);
    for (unsigned each = 2; status == STATUS_INVALID && !given && bytes && each <= MOST_A_THREAD &&
                            each * bytes <= MOST_BYTES;
         each *= 2) {
        draft->shared_bytes = each * bytes;
        status = choose_grid(probe, error);
    }
    if (draft->shared_unit && !given && status == STATUS_OK)
        text_printf(&draft->notes,
                    "exercise.yaml: `shared`, %u bytes, is what was enough for blocks of %u "
                    "threads; --shared gives another number\n",
                    draft->shared_bytes, draft->block[0] * draft->block[1]);
    if (status == STATUS_INVALID && error)
        *error = first;
    return status;
}

/* ---- roles and shapes ------------------------------------------------------------------------ */

static void add_shapes(const struct probe *probe, struct terms *terms) {
    const struct draft *draft = probe->draft;
    snprintf(add_term(terms, 1)->text, DRAFT_SHAPE_BYTES, "1");
    for (size_t i = 0; i < draft->size_count; i++) {
        const char *name = size_name(draft, i);
        snprintf(add_term(terms, probe->values[i])->text, DRAFT_SHAPE_BYTES, "%s", name);
        snprintf(add_term(terms, probe->values[i] + 1)->text, DRAFT_SHAPE_BYTES, "%s + 1", name);
        snprintf(add_term(terms, blocks_of(probe->values[i], draft->block[0]))->text,
                 DRAFT_SHAPE_BYTES, "ceil_div(%.60s, %u)", name, draft->block[0]);
        for (size_t j = i; j < draft->size_count; j++) {
            struct term *term = add_term(terms, probe->values[i] * probe->values[j]);
            term->slow = i;
            term->fast = j;
        }
    }
}

/* Does the code multiply by the size inside of the subscripts of the buffer? Rows are as long as
 * that. */
static bool is_row_length(const struct draft *draft, const char *buffer, const char *size) {
    struct code code;
    bool found = false;
    code_read(draft->source, draft->length, &code);
    for (size_t i = 0; i + 1 < code.count && !found; i++) {
        size_t close = code_is(&code, i, buffer) && code_is(&code, i + 1, "[")
                           ? code.tokens[i + 1].match
                           : CODE_NONE;
        for (size_t at = i + 1; close != CODE_NONE && at < close; at++)
            found |= (code_is(&code, at, "*") && code_is(&code, at + 1, size)) ||
                     (code_is(&code, at, size) && code_is(&code, at + 1, "*"));
    }
    code_free(&code);
    return found;
}

static void take_shape(const struct draft *draft, const struct term *term,
                       struct draft_param *param) {
    if (term->slow == SIZE_MAX) {
        snprintf(param->shape, sizeof param->shape, "%s", term->text);
        return;
    }
    const char *slow = size_name(draft, term->slow), *fast = size_name(draft, term->fast);
    bool turned =
        is_row_length(draft, param->name, slow) && !is_row_length(draft, param->name, fast);
    snprintf(param->shape, sizeof param->shape, "%.40s, %.40s", turned ? fast : slow,
             turned ? slow : fast);
}

/* How many elements the kernel needs of a buffer: more than `low`, and no more than `high`; 0 of
 * none that it uses. */
struct extent {
    uint64_t low, high;
};

/* What is written has the extent that was seen; an input any. */
static struct extent seen_extent(const struct probe *probe, size_t index) {
    uint64_t seen = probe->first_extent[index];
    if (probe->draft->params[index].role == ROLE_IN)
        return (struct extent){.high = LARGE};
    return (struct extent){.low = seen ? seen - 1 : 0, .high = seen};
}

/* By a launch with so many elements, unless it is known already. */
static enum status try_extent(struct probe *probe, size_t index, uint64_t elements,
                              struct extent *extent, struct error *error) {
    if (elements <= extent->low || elements >= extent->high)
        return STATUS_OK;
    probe->counts[index] = elements;
    enum status status = launch(probe, error);
    probe->counts[index] = LARGE;
    if (status == STATUS_OK)
        *(probe->outside[index] ? &extent->low : &extent->high) = elements;
    return status;
}

static int compare_values(const void *first, const void *second) {
    const uint64_t *a = first, *b = second;
    return (*a > *b) - (*a < *b);
}

/* Afterwards no expression's value lies within the extent's bounds. */
static enum status try_shapes(struct probe *probe, size_t index, const struct terms *shapes,
                              struct extent *extent, struct error *error) {
    uint64_t values[MAX_TERMS];
    for (size_t i = 0; i < shapes->count; i++)
        values[i] = (uint64_t)shapes->items[i].value;
    qsort(values, shapes->count, sizeof *values, compare_values);
    enum status status = STATUS_OK;
    for (size_t from = 0, to = shapes->count; from < to && status == STATUS_OK;) {
        size_t middle = from + (to - from) / 2;
        status = try_extent(probe, index, values[middle], extent, error);
        if (values[middle] <= extent->low)
            from = middle + 1;
        else
            to = middle;
    }
    return status;
}

/* The expression of the smallest value that is enough, unless half of it is, too: then the number
 * itself. Mostly an expression is right, so halving goes on to the last element only without one.
 */
static enum status find_shape(struct probe *probe, size_t index, struct error *error) {
    struct draft_param *param = &probe->draft->params[index];
    struct extent extent = seen_extent(probe, index);
    struct terms shapes = {0};
    const struct term *best = NULL;
    add_shapes(probe, &shapes);
    enum status status = try_shapes(probe, index, &shapes, &extent, error);
    for (size_t i = 0; i < shapes.count; i++) {
        const struct term *term = &shapes.items[i];
        if ((uint64_t)term->value > extent.low && (!best || term->value < best->value))
            best = term;
    }
    uint64_t half = best ? (uint64_t)best->value / 2 : 0;
    if (status == STATUS_OK)
        status = try_extent(probe, index, half, &extent, error);
    if (status == STATUS_OK && best && half <= extent.low && extent.high) {
        take_shape(probe->draft, best, param);
        return STATUS_OK;
    }
    while (status == STATUS_OK && extent.high - extent.low > 1)
        status =
            try_extent(probe, index, extent.low + (extent.high - extent.low) / 2, &extent, error);
    if (status != STATUS_OK)
        return status;
    snprintf(param->shape, sizeof param->shape, "%" PRIu64, extent.high);
    text_printf(&probe->draft->notes,
                "exercise.yaml: the shape of %s, %" PRIu64
                ", is what was seen; no expression of the "
                "sizes gives it\n",
                param->name, extent.high);
    return STATUS_OK;
}

/* A buffer that is only read is an input, one that is read first or not written whole is both. */
static void find_role(struct probe *probe, size_t index) {
    struct draft_param *param = &probe->draft->params[index];
    if (param->role != ROLE_OUT)
        return;
    if (!probe->written[index])
        param->role = ROLE_IN;
    else if (probe->read_first[index] || probe->written[index] < probe->extent[index])
        param->role = ROLE_INOUT;
}

enum status draft_probe(struct draft *draft, unsigned block, unsigned shared_bytes,
                        struct error *error) {
    /* Of blocks of one row, and of square ones. They rise, and each needs more blocks than those
     * before it: the first launch that writes the most is the smallest that is enough. */
    static const int64_t values[2][DRAFT_MAX_SIZES + 1][DRAFT_MAX_SIZES] = {
        {{0}, {997}, {277, 769}, {277, 521, 787}, {67, 131, 277, 521}},
        {{0}, {97}, {37, 97}, {19, 37, 67}, {19, 37, 67, 101}}};
    struct probe probe = {.draft = draft};
    memcpy(probe.values, values[draft->axes == 2 && !draft->is_flat][draft->size_count],
           sizeof probe.values);
    for (size_t i = 0; i < draft->param_count; i++)
        probe.counts[i] = LARGE;
    choose_block(&probe, block);
    enum status status = choose_shared(&probe, shared_bytes, error);
    memcpy(probe.first_extent, probe.extent, sizeof probe.first_extent);
    for (size_t i = 0; i < draft->param_count && status == STATUS_OK; i++)
        find_role(&probe, i);
    for (size_t i = 0; i < draft->param_count && status == STATUS_OK; i++)
        if (is_buffer(&draft->params[i]))
            status = find_shape(&probe, i, error);
    return status;
}
