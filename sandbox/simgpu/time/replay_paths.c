/* Traced paths as a replay walks them: pieces on both sides of a small if, which the assembler
 * predicates, become one piece with an idle stretch, and pieces that are the same again are
 * counted. The regions that they lead through are made. */
#include "sandbox/simgpu/time/replay_private.h"

#include "sandbox/base/memory.h"

/* Lanes that only wait where the others meet them again, after an if that is predicated. */
static bool is_meeting(const struct sass_model *code, const struct path_segment *segment) {
    for (uint32_t pc = segment->first; pc <= segment->last; pc++)
        if (code->program->code[pc].flow != FLOW_JOIN || code->region_first[pc] == pc)
            return false;
    return true;
}

/* Lanes come to what the others have just left out: all of it is executed. */
static bool fills_stretch(struct warp_path *path, struct path_segment *last,
                          const struct path_segment *next) {
    if (!last->off_count)
        return false;
    const struct path_stretch *stretch = &path->off[path->off_count - 1];
    if (next->first < stretch->first || next->last > stretch->last)
        return false;
    path->off_count--;
    last->off_count--;
    return true;
}

/* Whether the second piece goes on where the first ends, or after a predicated if that it leaves
 * there. */
static bool goes_on(const struct sass_model *code, const struct path_segment *last,
                    const struct path_segment *next) {
    uint8_t flow = code->program->code[last->last].flow;
    return next->first > last->last &&
           code->region_first[last->last] == code->region_first[next->first] &&
           (flow == FLOW_BRANCH || (flow == FLOW_JOIN && next->first == last->last + 1));
}

/* Whether the piece leaves out a predicated if with which its region ends: others come to where the
 * if ends from elsewhere. */
static bool leaves_out_end(const struct sass_model *code, const struct path_segment *last,
                           const struct path_segment *next) {
    return code->if_end[last->last] == next->first &&
           code->region_first[last->last] != code->region_first[next->first];
}

/* What lies between the piece and `end` does nothing. */
static void leave_out(struct warp_path *path, struct path_segment *piece, uint32_t end) {
    if (end <= piece->last + 1)
        return;
    *mem_push(&path->off, &path->off_count, &path->off_capacity) =
        (struct path_stretch){piece->last + 1, end - 1};
    piece->off_count++;
    piece->last = end - 1;
}

/* The assembler predicates small ifs: a warp that jumps over one issues its instructions all the
 * same, and one whose lanes part there issues them once. Pieces of a path on both sides of such a
 * branch become one. */
static void join_predicated(const struct sass_model *code, struct warp_path *path) {
    size_t count = 0;
    for (size_t i = 0; i < path->count; i++) {
        struct path_segment next = path->segments[i];
        struct path_segment *last = count ? &path->segments[count - 1] : NULL;
        bool single = last && last->times == 1 && next.times == 1;
        if (is_meeting(code, &next)) {
            path->instructions -= next.times * (uint64_t)(next.last - next.first + 1);
        } else if (single && fills_stretch(path, last, &next)) {
            continue;
        } else if (single && goes_on(code, last, &next)) {
            leave_out(path, last, next.first);
            last->last = next.last;
            last->parts = next.parts;
        } else {
            if (single && leaves_out_end(code, last, &next))
                leave_out(path, last, next.first);
            next.off = path->off_count;
            path->segments[count++] = next;
        }
    }
    path->count = count;
    path->joined = true;
}

static bool leaves_out_same(const struct warp_path *path, const struct path_segment *a,
                            const struct path_segment *b) {
    if (a->off_count != b->off_count)
        return false;
    for (uint32_t i = 0; i < a->off_count; i++)
        if (path->off[a->off + i].first != path->off[b->off + i].first ||
            path->off[a->off + i].last != path->off[b->off + i].last)
            return false;
    return true;
}

/* Neighbours that are the same again, once their pieces are together. */
static void count_repeated(struct warp_path *path) {
    size_t count = 0;
    for (size_t i = 0; i < path->count; i++) {
        const struct path_segment *next = &path->segments[i];
        struct path_segment *last = count ? &path->segments[count - 1] : NULL;
        if (last && last->first == next->first && last->last == next->last &&
            leaves_out_same(path, last, next) && last->parts == next->parts &&
            last->times < UINT32_MAX - next->times)
            last->times += next->times;
        else
            path->segments[count++] = *next;
    }
    path->count = count;
}

void replay_prepare_paths(const struct replay_input *input) {
    for (size_t i = 0; i < input->trace->block_count; i++)
        for (unsigned w = 0; input->trace->blocks[i].paths && w < input->trace->warps_per_block;
             w++) {
            struct warp_path *path = &input->trace->blocks[i].paths[w];
            if (!path->joined) {
                join_predicated(input->code, path);
                count_repeated(path);
            }
            for (size_t s = 0; s < path->count; s++)
                for (uint32_t pc = path->segments[s].first; pc <= path->segments[s].last;)
                    pc = sass_model_region(input->code, pc)->last + 1;
        }
}
