/* Traced paths as a replay walks them: pieces on both sides of a small if, which the assembler
 * predicates, become one piece with an idle stretch, and pieces that are the same again are
 * counted. The regions that they lead through are made. */
#include "sandbox/simgpu/replay_private.h"

/* Whether what the piece leaves out is but a jump, which is no instruction in predicated code. */
static bool is_jump(const struct program *program, const struct path_segment *segment) {
    return segment->off_first == segment->off_last &&
           program->code[segment->off_first].flow == FLOW_BRANCH;
}

/* The assembler predicates small ifs: a warp that jumps over one issues its instructions all the
 * same. Pieces of a path on both sides of such a branch become one. */
static void join_predicated(struct machine_code *code, struct path *path) {
    size_t count = 0;
    for (size_t i = 0; i < path->count; i++) {
        struct path_segment next = path->segments[i];
        struct path_segment *last = count ? &path->segments[count - 1] : NULL;
        bool skips = last && next.first > last->last + 1;
        bool inside =
            last && last->off_last && next.first >= last->off_first && next.last <= last->off_last;
        if (inside && last->times == 1 && next.times == 1) { /* lanes took both ways */
            last->off_first = last->off_last = 0;
            continue;
        }
        if (last && last->times == 1 && next.times == 1 && next.first > last->last &&
            code->region_first[last->last] == code->region_first[next.first] &&
            code->program->code[last->last].flow == FLOW_BRANCH &&
            !(skips && last->off_last && !is_jump(code->program, last))) {
            if (skips) {
                last->off_first = last->last + 1;
                last->off_last = next.first - 1;
            }
            last->last = next.last;
            last->parts = next.parts;
        } else {
            path->segments[count++] = next;
        }
    }
    path->count = count;
    path->joined = true;
}

/* Neighbours that are the same again, once their pieces are together. */
static void count_repeated(struct path *path) {
    size_t count = 0;
    for (size_t i = 0; i < path->count; i++) {
        const struct path_segment *next = &path->segments[i];
        struct path_segment *last = count ? &path->segments[count - 1] : NULL;
        if (last && last->first == next->first && last->last == next->last &&
            last->off_first == next->off_first && last->off_last == next->off_last &&
            last->parts == next->parts && last->times < UINT32_MAX - next->times)
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
            struct path *path = &input->trace->blocks[i].paths[w];
            if (!path->joined) {
                join_predicated(input->code, path);
                count_repeated(path);
            }
            for (size_t s = 0; s < path->count; s++)
                for (uint32_t pc = path->segments[s].first; pc <= path->segments[s].last;)
                    pc = machine_code_region(input->code, pc)->last + 1;
        }
}
