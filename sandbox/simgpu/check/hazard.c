/* Hazards: one record a pair of lines (kind, line, other line), with the first threads and a count.
 *
 * Reporting is rare and may be slow; counting a hazard that a million lanes have must not be: a
 * record is found by its program counters first. Texts name the variable and the element the way
 * the source does: "M[17, 3]" for a buffer with a shape, "s[131]" for a shared array. */
#include "sandbox/simgpu/check/hazard.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/ptx/ptx.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/source_note.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

/* `severity` may be NULL: any. */
static struct hazard_record *find_record(struct host_thread *host_thread, enum hazard_kind kind,
                                         const enum hazard_severity *severity, uint32_t pc,
                                         uint32_t other_pc) {
    const struct insn_origin *origins = host_thread->launch->program->origins;
    for (size_t i = 0; i < host_thread->hazard_count; i++) {
        struct hazard_record *record = &host_thread->hazards[i];
        if (record->hazard.kind != kind || (severity && record->hazard.severity != *severity))
            continue;
        if (record->pc == pc && record->other_pc == other_pc)
            return record;
        bool no_other = other_pc == PC_NONE;
        if (origins[pc].line && origins[record->pc].line == origins[pc].line &&
            origins[record->pc].file == origins[pc].file &&
            no_other == (record->other_pc == PC_NONE) &&
            (no_other || origins[record->other_pc].line == origins[other_pc].line))
            return record;
    }
    return NULL;
}

/* NULL where there are far more pairs of lines than a report shows. */
static struct hazard_record *add_record(struct host_thread *host_thread, enum hazard_kind kind,
                                        enum hazard_severity severity, uint32_t pc,
                                        uint32_t other_pc, uint64_t count) {
    if (host_thread->hazard_count >= 4096) {
        if (!host_thread->launch->in_turns) /* which ones are left out must not depend on timing */
            atomic_store(&host_thread->launch->stopped, true);
        return NULL;
    }
    struct hazard_record *record =
        mem_push(&host_thread->hazards, &host_thread->hazard_count, &host_thread->hazard_capacity);
    record->pc = pc;
    record->other_pc = other_pc;
    record->hazard.kind = kind;
    record->hazard.severity = severity;
    record->hazard.count = count;
    return record;
}

static void set_place(const struct program *program, uint32_t pc, char file[256], unsigned *line,
                      unsigned *column) {
    const struct insn_origin *origin = &program->origins[pc];
    *line = origin->line;
    if (column)
        *column = origin->column;
    if (origin->line && origin->file < program->file_count)
        snprintf(file, 256, "%s", program->files[origin->file]);
}

void hazard_set_place(struct hazard *hazard, const struct program *program, uint32_t pc) {
    set_place(program, pc, hazard->file, &hazard->line, &hazard->column);
}

static uint64_t moment_of(const struct warp *warp, unsigned lane) {
    return warp->block->executed << 5 | lane;
}

static int compare_moments(const struct hazard_record *a, const struct hazard_record *b) {
    if (a->block_index != b->block_index)
        return a->block_index < b->block_index ? -1 : 1;
    return a->moment != b->moment ? (a->moment < b->moment ? -1 : 1) : 0;
}

static void fill_record(struct warp *warp, struct hazard_record *record, lane_mask lanes,
                        const char *format, va_list arguments) {
    const struct program *program = warp->block->launch->program;
    struct hazard *hazard = &record->hazard;
    record->block_index = warp->block->index;
    record->moment = moment_of(warp, (unsigned)__builtin_ctz(lanes ? lanes : 1));
    hazard_set_place(hazard, program, record->pc);
    if (record->other_pc != PC_NONE)
        set_place(program, record->other_pc, hazard->other_file, &hazard->other_line, NULL);
    vsnprintf(hazard->message, sizeof hazard->message, format, arguments);
    hazard->thread_count = 0;
    for (lane_mask rest = lanes; rest && hazard->thread_count < ENGINE_HAZARD_THREADS - 1;
         rest &= rest - 1)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){
            warp->block->id, special_thread_index(warp, (unsigned)__builtin_ctz(rest))};
}

/* Atomics of blocks that run side by side reach memory that nothing has written in any order: who
 * is the first is found out on one thread, see launch.c. */
static bool depends_on_timing(const struct launch *launch, enum hazard_kind kind, uint32_t pc) {
    const struct insn *insn = &launch->program->code[pc];
    return !launch->in_turns && kind == HAZARD_UNINITIALIZED_READ && insn->cost == COST_ATOMIC &&
           insn->space != SPACE_SHARED;
}

/* The example of the first block in grid order stays, whichever block ran first: blocks of one host
 * thread start in the order that the seed says, those of several in grid order. */
static void restart_record(struct hazard_record *record, uint32_t pc, uint32_t other_pc) {
    record->hazard = (struct hazard){.kind = record->hazard.kind,
                                     .severity = record->hazard.severity,
                                     .count = record->hazard.count};
    record->pc = pc;
    record->other_pc = other_pc;
}

static uint64_t events_of(enum hazard_kind kind, lane_mask lanes) {
    return hazard_infos[kind].counted == COUNTED_EVENTS ? 1 : (uint64_t)__builtin_popcount(lanes);
}

/* Counts one whose example is there already: no text has to be made for it. */
static bool count_repeated(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                           enum hazard_severity severity, lane_mask lanes) {
    struct host_thread *host_thread = warp->host_thread;
    struct hazard_record *record = find_record(host_thread, kind, &severity, pc, other_pc);
    if (depends_on_timing(host_thread->launch, kind, pc))
        atomic_store(&host_thread->launch->stopped, true);
    if (!record || record->block_index > warp->block->index)
        return false;
    record->hazard.count += events_of(kind, lanes);
    return true;
}

struct hazard *hazard_report(struct warp *warp, uint32_t pc, uint32_t other_pc,
                             enum hazard_kind kind, enum hazard_severity severity, lane_mask lanes,
                             const char *format, ...) {
    struct host_thread *host_thread = warp->host_thread;
    if (count_repeated(warp, pc, other_pc, kind, severity, lanes))
        return NULL;
    struct hazard_record *record = find_record(host_thread, kind, &severity, pc, other_pc);
    uint64_t count = events_of(kind, lanes);
    if (record) {
        record->hazard.count += count;
        restart_record(record, pc, other_pc);
    } else {
        record = add_record(host_thread, kind, severity, pc, other_pc, count);
    }
    if (!record)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    fill_record(warp, record, lanes, format, arguments);
    va_end(arguments);
    return &record->hazard;
}

void hazard_suggest(struct hazard *hazard, enum hazard_fix fix) {
    if (hazard)
        hazard->fix = fix;
}

static int grade(enum hazard_severity severity, bool vague) {
    return (severity == SEVERITY_ERROR ? 0 : 2) + vague;
}

/* Of two equally good ones, that of the earlier block stays, whichever block ran first: a launch
 * may run in slices of its memory, each of which finds another race first. */
bool hazard_repeats_race(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                         enum hazard_severity severity, enum race_span span, unsigned lane,
                         bool vague) {
    struct hazard_record *record = find_record(warp->host_thread, kind, NULL, pc, other_pc);
    if (!record)
        return false;
    hazard_note_span(record, span);
    int there = grade(record->hazard.severity, record->vague), mine = grade(severity, vague);
    const struct hazard_record now = {.block_index = warp->block->index,
                                      .moment = moment_of(warp, lane)};
    if (there > mine || (there == mine && compare_moments(&now, record) < 0))
        return false;
    record->hazard.count++;
    if (there == 0)
        warp->host_thread->reported[reported_slot(pc, other_pc)] =
            (struct reported_race){pc, other_pc, (size_t)(record - warp->host_thread->hazards) + 1};
    return true;
}

/* Several writes of one value and a read between them are one mistake: the error says it all. */
struct hazard *hazard_report_race(struct warp *warp, uint32_t pc, uint32_t other_pc,
                                  enum hazard_kind kind, enum hazard_severity severity,
                                  enum race_span span, unsigned lane, bool vague,
                                  const char *format, ...) {
    struct host_thread *host_thread = warp->host_thread;
    struct hazard_record *record = find_record(host_thread, kind, NULL, pc, other_pc);
    if (record) {
        record->hazard.count++;
        record->hazard.severity = severity;
        record->pc = pc;
        record->other_pc = other_pc;
    } else {
        record = add_record(host_thread, kind, severity, pc, other_pc, 1);
    }
    if (!record)
        return NULL;
    hazard_note_span(record, span);
    record->vague = vague;
    va_list arguments;
    va_start(arguments, format);
    fill_record(warp, record, (lane_mask)1 << lane, format, arguments);
    va_end(arguments);
    return &record->hazard;
}

static bool is_race(enum hazard_kind kind) {
    return hazard_infos[kind].counted == COUNTED_RACES;
}

bool hazard_same_place(const struct hazard_record *a, const struct hazard_record *b) {
    if (a->hazard.kind != b->hazard.kind ||
        (a->hazard.severity != b->hazard.severity && !is_race(a->hazard.kind)))
        return false;
    if (a->hazard.line == 0 || b->hazard.line == 0)
        return a->pc == b->pc && a->other_pc == b->other_pc;
    return a->hazard.line == b->hazard.line && a->hazard.other_line == b->hazard.other_line &&
           strcmp(a->hazard.file, b->hazard.file) == 0;
}

int hazard_compare_examples(const struct hazard_record *a, const struct hazard_record *b) {
    int x = grade(a->hazard.severity, a->vague), y = grade(b->hazard.severity, b->vague);
    if (x != y)
        return x < y ? -1 : 1;
    return compare_moments(a, b);
}

/* Is an asynchronous copy to write one of the bytes? */
static bool is_pending(const struct warp *warp, unsigned lane, const struct access *access) {
    struct memory_location place = memory_locate(warp, access->space, lane, access->address);
    for (uint64_t i = 0; place.shadow && i < access->bytes && i < place.left; i++)
        if (place.shadow[i] == SHADOW_PENDING)
            return true;
    return false;
}

/* Of an array in shared or local memory, whose size stands in the source. */
static bool is_of_block_or_thread(const struct access *access) {
    uint64_t window = access->address >> ADDRESS_SHIFT;
    bool generic = access->space == SPACE_GENERIC;
    return access->space == SPACE_SHARED || access->space == SPACE_LOCAL ||
           (generic && (window == WINDOW_SHARED || window == WINDOW_LOCAL));
}

/* The element of the first byte that has no value, counted as those of the whole access are. */
static void describe_missing(const struct warp *warp, const struct access *access, char *element,
                             size_t size) {
    char whole[192];
    struct access part = *access;
    part.address += access->missing;
    part.unit = access->unit ? access->unit : access->bytes;
    part.bytes = 1;
    hazard_describe_address(warp, &part, element, size, whole, sizeof whole);
}

enum scene_access scene_access_of(const struct insn *insn, bool store) {
    return insn->cost == COST_ATOMIC ? SCENE_ATOMIC : store ? SCENE_WRITE : SCENE_READ;
}

static void set_scene(const struct warp *warp, const struct insn *insn, enum hazard_kind kind,
                      const struct access *access, struct hazard_scene *scene) {
    *scene = (struct hazard_scene){.access = scene_access_of(insn, access->store)};
    if (kind == HAZARD_OUT_OF_BOUNDS &&
        !hazard_locate_element(warp, access, &scene->element, &scene->elements))
        scene->elements = 0;
}

struct hazard *hazard_access(struct warp *warp, const struct insn *insn, enum hazard_kind kind,
                             unsigned lane, lane_mask lanes, const struct access *access) {
    if (count_repeated(warp, insn_pc(warp, insn), PC_NONE, kind, SEVERITY_ERROR, lanes))
        return NULL;
    char element[128], whole[192], text[448];
    bool known =
        hazard_describe_address(warp, access, element, sizeof element, whole, sizeof whole);
    const char *verb = insn->cost == COST_ATOMIC ? "atomic operation on"
                       : access->store           ? "write of"
                                                 : "read of";
    struct dim3 thread = special_thread_index(warp, lane);
    struct dim3 block = warp->block->id;
    int used = snprintf(text, sizeof text, "%s %u byte%s ", verb, access->bytes,
                        text_plural(access->bytes));
    char *rest = text + used;
    size_t left = sizeof text - (size_t)used;
    enum hazard_fix fix = FIX_OF_PAGE;
    if (!known && access->address < 4096 && access->space != SPACE_SHARED) {
        fix = FIX_NULL_POINTER;
        snprintf(rest, left, "through a null pointer (address 0x%llx)",
                 (unsigned long long)access->address);
    } else if (!known)
        snprintf(rest, left, "at address 0x%llx, which belongs to no variable",
                 (unsigned long long)access->address);
    else if (kind == HAZARD_OUT_OF_BOUNDS && strstr(whole, "[0] in dynamic shared memory")) {
        fix = FIX_DYNAMIC_SHARED;
        snprintf(rest, left, "at %s, but the launch gives the kernel no dynamic shared memory",
                 element);
    } else if (kind == HAZARD_OUT_OF_BOUNDS &&
               strncmp(whole, HEAP_FREED, strlen(HEAP_FREED)) == 0) {
        fix = FIX_USE_AFTER_FREE;
        snprintf(rest, left, "at %s, which %s", element, whole);
    } else if (kind == HAZARD_OUT_OF_BOUNDS) {
        fix = is_of_block_or_thread(access) ? FIX_ARRAY_INDEX : FIX_OF_PAGE;
        hazard_describe_outside(element, whole, rest, left);
    } else if (kind == HAZARD_MISALIGNED)
        snprintf(rest, left, "at %s: address 0x%llx is not a multiple of %u", element,
                 (unsigned long long)access->address, access->bytes);
    else if (kind == HAZARD_UNINITIALIZED_READ) {
        bool pending = is_pending(warp, lane, access);
        fix = pending ? FIX_AWAIT_COPY : FIX_OF_PAGE;
        char part[128];
        describe_missing(warp, access, part, sizeof part);
        bool is_first = strcmp(part, element) == 0;
        snprintf(rest, left, "at %s, %swhich %s%s%s%s", element, is_first ? "" : "of ",
                 pending ? "an asynchronous copy still on its way will write"
                         : "nothing has written",
                 is_first ? "" : " ", is_first ? "" : part,
                 pending ? ": nothing has waited for it yet" : " yet");
        memcpy(element, part, sizeof element);
    } else
        snprintf(rest, left, "at %s: %s may only be read", element, whole);
    struct hazard *hazard =
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, kind, SEVERITY_ERROR, lanes,
                      "%s, by thread (%u, %u, %u) of block (%u, %u, %u)", text, thread.x, thread.y,
                      thread.z, block.x, block.y, block.z);
    hazard_suggest(hazard, fix);
    if (hazard && known)
        snprintf(hazard->variable, sizeof hazard->variable, "%s", element);
    else if (hazard)
        hazard->address = access->address;
    if (hazard)
        set_scene(warp, insn, kind, access, &hazard->scene);
    return hazard;
}

/* Does the build room's note stand in the line before the instruction? */
static bool is_constant_store(const struct launch *launch, uint32_t pc) {
    static const char note[] = CONSTANT_STORE_COMMENT;
    const struct ptx_span *text = &launch->module->text;
    const char *line = text->start, *end = text->start + text->length;
    for (uint32_t left = launch->program->origins[pc].ptx_line; left > 2 && line; left--) {
        line = memchr(line, '\n', (size_t)(end - line));
        line = line ? line + 1 : NULL;
    }
    while (line && line < end && (*line == ' ' || *line == '\t'))
        line++;
    return line && (size_t)(end - line) > strlen(note) && memcmp(line, note, strlen(note)) == 0;
}

/* A grid barrier of the headers stops the kernel where the launch has given it no workspace. */
static bool wants_grid_barrier(const struct launch *launch) {
    bool wanted = false;
    for (size_t i = 0; i < launch->program->special_count && launch->request->is_plain; i++)
        wanted |= launch->program->specials[i].special == SPECIAL_ENVREG1;
    return wanted;
}

void hazard_trap(struct warp *warp, uint32_t pc, lane_mask lanes) {
    struct dim3 block = warp->block->id;
    struct dim3 thread = special_thread_index(warp, (unsigned)__builtin_ctz(lanes));
    if (is_constant_store(warp->block->launch, pc))
        hazard_suggest(hazard_report(warp, pc, PC_NONE, HAZARD_WRITE_TO_INPUT, SEVERITY_ERROR,
                                     lanes,
                                     "write to constant memory, which a kernel may only read, by "
                                     "thread (%u, %u, %u) of block (%u, %u, %u): the compiler has "
                                     "put a trap in its place, and the kernel stops there",
                                     thread.x, thread.y, thread.z, block.x, block.y, block.z),
                       FIX_CONSTANT_STORE);
    else if (wants_grid_barrier(warp->block->launch))
        hazard_suggest(hazard_report(warp, pc, PC_NONE, HAZARD_INVALID_LAUNCH, SEVERITY_ERROR,
                                     lanes,
                                     "a barrier of the grid, reached by thread (%u, %u, %u) of "
                                     "block (%u, %u, %u), in a kernel that is not launched "
                                     "cooperatively: on a card it stops the kernel",
                                     thread.x, thread.y, thread.z, block.x, block.y, block.z),
                       FIX_PLAIN_LAUNCH);
    else
        hazard_suggest(hazard_report(warp, pc, PC_NONE, HAZARD_TRAP, SEVERITY_ERROR, lanes,
                                     "the kernel executes a trap instruction and stops"),
                       FIX_TRAP_INSTRUCTION);
}

void hazard_unsupported(struct warp *warp, uint32_t pc, lane_mask lanes, const char *what) {
    struct hazard *hazard = hazard_report(warp, pc, PC_NONE, HAZARD_UNSUPPORTED, SEVERITY_ERROR,
                                          lanes, "the simulated GPU does not execute %s", what);
    if (strstr(what, DYNAMIC_PARALLELISM))
        hazard_suggest(hazard, FIX_HOST_LAUNCH);
}

void hazard_budget(struct warp *warp, uint32_t pc, lane_mask lanes) {
    const struct launch *launch = warp->block->launch;
    struct dim3 block = warp->block->id;
    uint32_t hottest = pc;
    for (uint32_t i = 0; i < launch->program->length; i++)
        if (warp->host_thread->stats[i].threads > warp->host_thread->stats[hottest].threads)
            hottest = i;
    hazard_report(warp, hottest, PC_NONE, HAZARD_INSTRUCTION_BUDGET, SEVERITY_ERROR, lanes,
                  "the kernel has executed its budget of %llu thread instructions and was stopped "
                  "in block (%u, %u, %u); this line ran most often: does its loop end?",
                  (unsigned long long)launch->budget, block.x, block.y, block.z);
}
