/* Names for people: lanes as ranges, lines, addresses as elements of the variables they lie in. */
#include "sandbox/simgpu/check/describe.h"

#include "sandbox/base/text.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

#include <stdio.h>
#include <string.h>

const char *describe_line(const struct program *program, uint32_t pc, char buffer[LINE_TEXT]) {
    if (pc == PC_NONE) {
        snprintf(buffer, LINE_TEXT, "in an earlier launch");
        return buffer;
    }
    const struct insn_origin *origin = &program->origins[pc];
    if (origin->line)
        snprintf(buffer, LINE_TEXT, "line %u", origin->line);
    else
        snprintf(buffer, LINE_TEXT, "PTX line %u", origin->ptx_line);
    return buffer;
}

enum { MOST_RUNS = 4 }; /* of lanes that a reader takes in; more are left to the mask */

struct dim3 hazard_block_id(const struct launch *launch, uint64_t index) {
    struct dim3 grid = launch->request->grid;
    return (struct dim3){(uint32_t)(index % grid.x), (uint32_t)(index / grid.x % grid.y),
                         (uint32_t)(index / grid.x / grid.y)};
}

void hazard_describe_lanes(lane_mask lanes, char *text, size_t size) {
    int used = snprintf(text, size, "%s",
                        lanes & (lanes - 1) ? "lanes"
                        : lanes             ? "lane"
                                            : "no lane");
    lane_mask rest = lanes;
    for (unsigned runs = 0; rest; runs++) {
        unsigned first = (unsigned)__builtin_ctz(rest), last = first;
        while (last + 1 < WARP_LANES && rest >> (last + 1) & 1)
            last++;
        rest = last + 1 < WARP_LANES ? rest & UINT32_MAX << (last + 1) : 0;
        used += snprintf(text + used, size - (size_t)used, "%s%u", runs ? ", " : " ", first);
        if (last > first)
            used += snprintf(text + used, size - (size_t)used, "-%u", last);
        if (runs + 1 == MOST_RUNS && rest) {
            used += snprintf(text + used, size - (size_t)used, " and %d more",
                             __builtin_popcount(rest));
            break;
        }
    }
    snprintf(text + used, size - (size_t)used, " (mask 0x%08x)", lanes);
}

static void describe_buffer(const struct engine_argument *argument, uint64_t index, char *element,
                            size_t element_size, char *whole, size_t whole_size) {
    unsigned rank = argument->rank ? argument->rank : 1;
    if (argument->count == 1 && rank == 1 && index == 0) {
        snprintf(element, element_size, "%s", argument->name);
        snprintf(whole, whole_size, "%s", argument->name);
        return;
    }
    uint64_t shape[3] = {argument->shape[0], argument->shape[1], argument->shape[2]};
    if (!argument->rank)
        shape[0] = argument->count;
    size_t used = (size_t)snprintf(whole, whole_size, "%s", argument->name);
    for (unsigned i = 0; i < rank && used < whole_size; i++)
        used += (size_t)snprintf(whole + used, whole_size - used, "[%llu]",
                                 (unsigned long long)shape[i]);
    uint64_t inner = rank == 3 ? shape[1] * shape[2] : rank == 2 ? shape[1] : 1;
    if (rank == 1 || inner == 0 || index >= argument->count)
        snprintf(element, element_size, "%s[%llu]", argument->name, (unsigned long long)index);
    else if (rank == 2)
        snprintf(element, element_size, "%s[%llu, %llu]", argument->name,
                 (unsigned long long)(index / inner), (unsigned long long)(index % inner));
    else
        snprintf(element, element_size, "%s[%llu, %llu, %llu]", argument->name,
                 (unsigned long long)(index / inner),
                 (unsigned long long)(index % inner / shape[2]),
                 (unsigned long long)(index % shape[2]));
}

/* Of a block of which only the bytes are known, counted in what is read. */
static struct engine_argument counted_in(const struct launch *launch,
                                         const struct engine_argument *argument,
                                         const struct access *access, unsigned *bytes) {
    struct engine_argument counted = *argument;
    *bytes = element_infos[argument->type].bytes;
    unsigned unit = access->unit ? access->unit : access->bytes;
    if (launch->request->memory && unit && argument->count % unit == 0) {
        *bytes = unit;
        counted.count = argument->count / unit;
    }
    return counted;
}

/* What to count in where the type is not known: what is read, unless it is wider than an element
 * can be. A source's array of 2-byte numbers is declared as bytes with the alignment 2. */
static unsigned element_bytes(const struct placed_variable *variable, unsigned read_bytes) {
    uint64_t most = variable->element_bytes > 1 ? variable->element_bytes : variable->alignment;
    return most && most < read_bytes ? (unsigned)most : read_bytes;
}

/* An element of a variable: by its type where that is known, else by counting. */
static void describe_variable(const struct placed_variable *variable, uint64_t offset,
                              const struct access *access, const char *where, char *element,
                              size_t element_size, char *whole, size_t whole_size) {
    unsigned bytes = element_bytes(variable, access->unit ? access->unit : access->bytes);
    if (variable->shape.length &&
        shape_name(variable->shape, variable->name, offset, access->bytes, element, element_size)) {
        cleanup_text struct text declared = {0};
        shape_extents(variable->shape, variable->name, variable->bytes, &declared);
        snprintf(whole, whole_size, "%s in %s memory", text_string(&declared), where);
        return;
    }
    if (variable->bytes <= bytes && offset < bytes)
        snprintf(element, element_size, "%s", variable->name);
    else
        snprintf(element, element_size, "%s[%llu]", variable->name,
                 (unsigned long long)(offset / bytes));
    if (variable->bytes % bytes)
        snprintf(whole, whole_size, "%s, %llu bytes of %s memory", variable->name,
                 (unsigned long long)variable->bytes, where);
    else
        snprintf(whole, whole_size, "%s[%llu] in %s memory", variable->name,
                 (unsigned long long)(variable->bytes / bytes), where);
}

static const struct placed_variable *find_shared(const struct program *program, uint64_t offset) {
    const struct placed_variable *best = NULL;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct placed_variable *variable = &program->variables[i];
        if (variable->space == SPACE_SHARED && variable->address <= offset &&
            (!best || variable->address > best->address) &&
            /* addresses after the system's part are before the first variable */
            (variable->address >= SHARED_START || offset - variable->address < variable->bytes))
            best = variable;
    }
    return best;
}

void hazard_describe_owner(const struct block *owner, char *element, size_t size) {
    size_t used = strlen(element);
    snprintf(element + used, size - used, " in block (%u, %u, %u)", owner->id.x, owner->id.y,
             owner->id.z);
}

static bool describe_shared(const struct warp *warp, uint64_t offset, const struct access *access,
                            char *element, size_t element_size, char *whole, size_t whole_size) {
    const struct block *owner = cluster_owner(warp->block, &offset);
    const struct placed_variable *best = find_shared(warp->block->launch->program, offset);
    if (best && owner)
        describe_variable(best, offset - best->address, access,
                          best->dynamic ? "dynamic shared" : "shared", element, element_size, whole,
                          whole_size);
    if (best && owner && owner != warp->block)
        hazard_describe_owner(owner, element, element_size);
    return best && owner;
}

/* How far before a window's end an offset is a negative index into the next one. Where a process's
 * addresses end, its stack lies, up to the last page. */
static uint64_t reach_before(uint64_t window) {
    bool is_host = window + 1 == WINDOW_FIRST_BLOCK + ENGINE_HOST_BLOCKS;
    return is_host ? 4096 : (uint64_t)1 << 34;
}

/* Names an address inside or after a block of the heap; false for any other allocation. */
static bool describe_heap(const struct launch *launch, device_address address, char *element,
                          size_t element_size, char *whole, size_t whole_size) {
    uint64_t window = address >> ADDRESS_SHIFT;
    int64_t offset = (int64_t)(address & OFFSET_MASK);
    if (offset > (int64_t)(OFFSET_MASK - reach_before(window))) { /* before the start of the next */
        window++;
        offset -= (int64_t)OFFSET_MASK + 1;
    }
    if (window >= launch->allocation_count || !launch->allocations[window].on_heap)
        return false;
    const struct allocation *allocation = &launch->allocations[window];
    char made[LINE_TEXT], freed[LINE_TEXT];
    snprintf(element, element_size, "byte %lld of memory from malloc (%s)", (long long)offset,
             describe_line(launch->program, allocation->malloc_pc, made));
    if (allocation->bytes)
        snprintf(whole, whole_size, "its %llu bytes", (unsigned long long)allocation->length);
    else
        snprintf(whole, whole_size, HEAP_FREED " (%s)",
                 describe_line(launch->program, allocation->free_pc, freed));
    return true;
}

/* The extents of "[18][5]" as "18 x 5"; where they end. */
static const char *append_extents(const char *extents, struct text *out) {
    while (*extents == '[') {
        size_t digits = strspn(extents + 1, "0123456789");
        text_append(out, out->length ? " x " : "");
        text_append_bytes(out, extents + 1, digits);
        extents += digits + 1;
        extents += *extents == ']';
    }
    return extents;
}

void hazard_describe_outside(const char *element, const char *whole, char *text, size_t size) {
    size_t name = strcspn(element, "["), length = strlen(element);
    const char *index = element + name;
    bool plain = *index && strspn(index, "[]0123456789-, ") == length - name;
    cleanup_text struct text extents = {0};
    if (!plain || strncmp(element, whole, name) != 0 || whole[name] != '[') {
        snprintf(text, size, "at %s, outside %s", element, whole);
        return;
    }
    const char *where = append_extents(whole + name, &extents);
    size_t count = length - name;
    if (!strpbrk(index + 1, "[,")) { /* one index needs no brackets */
        index++;
        count -= 2;
    }
    snprintf(text, size, "at index %.*s of `%.*s`, which has %s element%s%s", (int)count, index,
             (int)name, element, text_string(&extents),
             strcmp(text_string(&extents), "1") == 0 ? "" : "s", where);
}

/* An offset so near to a window's end is a negative index into the next one. */
static bool is_before(const struct launch *launch, uint64_t window, uint64_t offset) {
    return offset > OFFSET_MASK - reach_before(window) && window + 1 < launch->allocation_count &&
           launch->allocations[window + 1].bytes;
}

static bool count_elements(uint64_t offset, uint64_t bytes, uint64_t unit, int64_t *element,
                           uint64_t *elements) {
    *element = unit ? (int64_t)(offset / unit) : 0;
    *elements = unit ? bytes / unit : 0;
    return *elements > 0;
}

bool hazard_locate_element(const struct warp *warp, const struct access *access, int64_t *element,
                           uint64_t *elements) {
    const struct launch *launch = warp->block->launch;
    uint64_t window = access->address >> ADDRESS_SHIFT, offset = access->address & OFFSET_MASK;
    bool generic_shared = access->space == SPACE_GENERIC && window == WINDOW_SHARED;
    if (access->space == SPACE_SHARED || generic_shared) {
        uint64_t at = generic_shared ? offset : access->address;
        const struct block *owner = cluster_owner(warp->block, &at);
        const struct placed_variable *variable = owner ? find_shared(launch->program, at) : NULL;
        return variable &&
               count_elements(at - variable->address, variable->bytes,
                              element_bytes(variable, access->bytes), element, elements);
    }
    if (access->space == SPACE_LOCAL || (access->space == SPACE_GENERIC && window == WINDOW_LOCAL))
        return false;
    bool before = is_before(launch, window, offset);
    window += before;
    if (window >= launch->allocation_count || !launch->allocations[window].bytes)
        return false;
    const struct allocation *allocation = &launch->allocations[window];
    const struct engine_argument *argument = allocation->argument;
    const struct placed_variable *variable = allocation->variable;
    if (!argument && !variable)
        return false;
    unsigned unit = 0;
    uint64_t bytes = variable ? variable->bytes : 0;
    if (argument)
        bytes = counted_in(launch, argument, access, &unit).count * unit;
    else
        unit = element_bytes(variable, access->bytes);
    if (!count_elements(before ? OFFSET_MASK - offset : offset, bytes, unit, element, elements))
        return false;
    *element = before ? -*element - 1 : *element;
    return true;
}

bool hazard_describe_address(const struct warp *warp, const struct access *access, char *element,
                             size_t element_size, char *whole, size_t whole_size) {
    const struct launch *launch = warp->block->launch;
    uint64_t window = access->address >> ADDRESS_SHIFT, offset = access->address & OFFSET_MASK;
    element[0] = whole[0] = '\0';
    if (access->space == SPACE_SHARED)
        return describe_shared(warp, access->address, access, element, element_size, whole,
                               whole_size);
    if (access->space == SPACE_GENERIC && window == WINDOW_SHARED)
        return describe_shared(warp, offset, access, element, element_size, whole, whole_size);
    if (access->space == SPACE_LOCAL ||
        (access->space == SPACE_GENERIC && window == WINDOW_LOCAL)) {
        snprintf(element, element_size, "byte %llu of the thread's local memory",
                 (unsigned long long)(access->space == SPACE_LOCAL ? access->address : offset));
        snprintf(whole, whole_size, "local memory (%u bytes a thread)", launch->local_bytes);
        return true;
    }
    if (describe_heap(launch, access->address, element, element_size, whole, whole_size))
        return true;
    bool before = is_before(launch, window, offset);
    window += before;
    if (window >= launch->allocation_count || !launch->allocations[window].bytes)
        return false;
    const struct allocation *allocation = &launch->allocations[window];
    if (allocation->argument) {
        unsigned bytes;
        const struct engine_argument argument =
            counted_in(launch, allocation->argument, access, &bytes);
        describe_buffer(&argument, offset / bytes, element, element_size, whole, whole_size);
        if (before)
            snprintf(element, element_size, "%s[-%llu]", argument.name,
                     (unsigned long long)((OFFSET_MASK - offset) / bytes + 1));
        return true;
    }
    if (!allocation->variable)
        return false;
    const struct placed_variable *variable = allocation->variable;
    describe_variable(variable, before ? 0 : offset, access,
                      variable->space == SPACE_CONST ? "constant" : "global", element, element_size,
                      whole, whole_size);
    if (before)
        snprintf(
            element, element_size, "%s[-%llu]", variable->name,
            (unsigned long long)((OFFSET_MASK - offset) / element_bytes(variable, access->bytes) +
                                 1));
    return true;
}
