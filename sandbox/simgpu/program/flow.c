/* Where diverged lanes meet again: at the immediate post-dominator of the branch.
 *
 * Blocks are cut at branches and labels; post-dominators are found on the reversed graph by the
 * iteration of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001). A join
 * instruction is put in front of each meeting point, so that the hot loop needs no check for it.
 * Where the only meeting point is the function's end there is no join: the return is one. */
#include "sandbox/simgpu/program/flow.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/program.h"

#include <stdlib.h>
#include <string.h>

static bool ends_block(const struct insn *insn) {
    switch (insn->flow) {
    case FLOW_BRANCH:
    case FLOW_INDEXED:
    case FLOW_EXIT:
    case FLOW_RETURN:
    case FLOW_TRAP:
    case FLOW_UNSUPPORTED:
        return true;
    default:
        return false;
    }
}

static void find_blocks(const struct program *program, struct graph *graph) {
    uint32_t length = graph->end_pc - graph->first_pc;
    cleanup_free bool *leaders = mem_calloc(length + 1, sizeof *leaders);
    leaders[0] = true;
    for (uint32_t i = 0; i < length; i++) {
        const struct insn *insn = &program->code[graph->first_pc + i];
        if (ends_block(insn))
            leaders[i + 1] = true;
        if (insn->flow == FLOW_BRANCH)
            leaders[(uint32_t)insn->target - graph->first_pc] = true;
        if (insn->flow == FLOW_INDEXED)
            for (uint32_t t = 0; t < program->targets[insn->targets]; t++)
                leaders[program->targets[insn->targets + 1 + t] - graph->first_pc] = true;
    }
    graph->blocks = mem_calloc(length + 1, sizeof *graph->blocks);
    graph->block_of = mem_calloc(length + 1, sizeof *graph->block_of);
    for (uint32_t i = 0; i < length; i++) {
        if (leaders[i])
            graph->blocks[graph->count++].first = graph->first_pc + i;
        graph->block_of[i] = graph->count - 1;
        graph->blocks[graph->count - 1].last = graph->first_pc + i;
    }
}

static void add_successor(struct flow_block *block, uint32_t successor, uint32_t *used) {
    for (uint32_t i = 0; i < *used; i++)
        if (block->successors[i] == successor)
            return;
    block->successors[(*used)++] = successor;
}

static void find_successors(const struct program *program, struct graph *graph) {
    for (uint32_t b = 0; b < graph->count; b++) {
        struct flow_block *block = &graph->blocks[b];
        const struct insn *insn = &program->code[block->last];
        bool guarded = insn->guard != GUARD_NONE;
        uint32_t targets = insn->flow == FLOW_INDEXED ? program->targets[insn->targets] : 1;
        block->successors = mem_calloc((size_t)targets + 2, sizeof *block->successors);
        uint32_t next = b + 1; /* the exit's number, after the last block */
        uint32_t *used = &block->successor_count;
        switch (insn->flow) {
        case FLOW_BRANCH:
            add_successor(block, graph->block_of[(uint32_t)insn->target - graph->first_pc], used);
            if (guarded)
                add_successor(block, next, used);
            break;
        case FLOW_INDEXED:
            for (uint32_t t = 0; t < targets; t++)
                add_successor(
                    block,
                    graph->block_of[program->targets[insn->targets + 1 + t] - graph->first_pc],
                    used);
            if (guarded)
                add_successor(block, next, used);
            break;
        case FLOW_EXIT:
        case FLOW_RETURN:
        case FLOW_TRAP:
        case FLOW_UNSUPPORTED:
            add_successor(block, graph->count, used);
            if (guarded)
                add_successor(block, next, used);
            break;
        default:
            add_successor(block, next, used);
            break;
        }
    }
}

static void find_predecessors(struct graph *graph) {
    uint32_t nodes = graph->count + 1, edges = 0;
    graph->predecessor_start = mem_calloc((size_t)nodes + 1, sizeof *graph->predecessor_start);
    for (uint32_t b = 0; b < graph->count; b++)
        for (uint32_t i = 0; i < graph->blocks[b].successor_count; i++) {
            graph->predecessor_start[graph->blocks[b].successors[i] + 1]++;
            edges++;
        }
    for (uint32_t n = 0; n < nodes; n++)
        graph->predecessor_start[n + 1] += graph->predecessor_start[n];
    graph->predecessors = mem_calloc((size_t)edges + 1, sizeof *graph->predecessors);
    cleanup_free uint32_t *fill = mem_dup(graph->predecessor_start, nodes * sizeof *fill);
    for (uint32_t b = 0; b < graph->count; b++)
        for (uint32_t i = 0; i < graph->blocks[b].successor_count; i++)
            graph->predecessors[fill[graph->blocks[b].successors[i]]++] = b;
}

/* Depth-first from the exit over predecessors, without recursion: hostile code can be deep. */
static void order_blocks(struct graph *graph) {
    uint32_t nodes = graph->count + 1;
    for (uint32_t b = 0; b < nodes; b++)
        graph->blocks[b].order = -1;
    graph->by_order = mem_calloc(nodes, sizeof *graph->by_order);
    cleanup_free uint32_t *stack = mem_calloc(nodes, sizeof *stack);
    cleanup_free uint32_t *next = mem_dup(graph->predecessor_start, nodes * sizeof *next);
    uint32_t depth = 0;
    stack[depth++] = graph->count;
    graph->blocks[graph->count].order = INT32_MAX;
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (next[node] < graph->predecessor_start[node + 1]) {
            uint32_t predecessor = graph->predecessors[next[node]++];
            if (graph->blocks[predecessor].order == -1) {
                graph->blocks[predecessor].order = INT32_MAX;
                stack[depth++] = predecessor;
            }
        } else {
            graph->blocks[node].order = (int32_t)graph->ordered;
            graph->by_order[graph->ordered++] = node;
            depth--;
        }
    }
}

static int32_t common_dominator(const struct graph *graph, int32_t a, int32_t b) {
    while (a != b) {
        while (graph->blocks[a].order < graph->blocks[b].order)
            a = graph->blocks[a].post_dominator;
        while (graph->blocks[b].order < graph->blocks[a].order)
            b = graph->blocks[b].post_dominator;
    }
    return a;
}

static void find_post_dominators(struct graph *graph) {
    int32_t exit_node = (int32_t)graph->count;
    for (int32_t n = 0; n <= exit_node; n++)
        graph->blocks[n].post_dominator = -1;
    graph->blocks[exit_node].post_dominator = exit_node;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = graph->ordered - 1; i-- > 0;) {
            struct flow_block *block = &graph->blocks[graph->by_order[i]];
            int32_t found = -1;
            for (uint32_t s = 0; s < block->successor_count; s++) {
                int32_t successor = (int32_t)block->successors[s];
                if (graph->blocks[successor].post_dominator < 0)
                    continue;
                found = found < 0 ? successor : common_dominator(graph, found, successor);
            }
            if (found != block->post_dominator) {
                block->post_dominator = found;
                changed = true;
            }
        }
    }
}

static bool may_diverge(const struct insn *insn) {
    return insn->flow == FLOW_INDEXED || (insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE);
}

/* Calls through pointers diverge, too: their lanes meet after the call. */
static bool may_meet(const struct insn *insn) {
    return may_diverge(insn) || insn->flow == FLOW_CALL;
}

/* Puts a join before each marked pc and moves everything that points into the code. */
static void insert_joins(struct program *program, struct graph *graph, size_t first_live,
                         const bool *marked) {
    uint32_t length = graph->end_pc - graph->first_pc;
    cleanup_free uint32_t *moved = mem_calloc((size_t)length + 1, sizeof *moved);
    uint32_t joins = 0;
    for (uint32_t i = 0; i < length; i++) {
        moved[i] = graph->first_pc + i + joins; /* of the join, where there is one */
        joins += marked[i];
    }
    if (!joins)
        return;
    for (size_t i = first_live; i < program->live_count; i++)
        program->lives[i].pc = moved[program->lives[i].pc - graph->first_pc];
    struct insn *code = mem_dup(program->code + graph->first_pc, length * sizeof *code);
    struct insn_origin *origins =
        mem_dup(program->origins + graph->first_pc, length * sizeof *origins);
    program->length = program->origin_count = graph->first_pc;
    for (uint32_t i = 0; i < length; i++) {
        if (marked[i]) {
            struct insn *join = mem_push(&program->code, &program->length, &program->capacity);
            join->flow = FLOW_JOIN;
            join->guard = GUARD_NONE;
            join->cost = COST_CONTROL;
            *mem_push(&program->origins, &program->origin_count, &program->origin_capacity) =
                origins[i];
        }
        struct insn *insn = mem_push(&program->code, &program->length, &program->capacity);
        *insn = code[i];
        *mem_push(&program->origins, &program->origin_count, &program->origin_capacity) =
            origins[i];
        if (insn->flow == FLOW_BRANCH)
            insn->target = moved[(uint32_t)insn->target - graph->first_pc];
        if (insn->flow == FLOW_INDEXED)
            for (uint32_t t = 0; t < program->targets[insn->targets]; t++) {
                uint32_t *target = &program->targets[insn->targets + 1 + t];
                *target = moved[*target - graph->first_pc];
            }
        if (may_meet(insn) && insn->reconverge != PC_NONE)
            insn->reconverge = moved[insn->reconverge - graph->first_pc];
    }
    free(code);
    free(origins);
}

bool flow_reconverge(struct decoder *decoder, uint32_t first_pc) {
    struct program *program = decoder->program;
    struct graph graph = {.first_pc = first_pc, .end_pc = (uint32_t)program->length};
    find_blocks(program, &graph);
    find_successors(program, &graph);
    size_t first_live = program->live_count;
    liveness_find(decoder, &graph);
    find_predecessors(&graph);
    order_blocks(&graph);
    find_post_dominators(&graph);
    uint32_t length = graph.end_pc - first_pc;
    cleanup_free bool *marked = mem_calloc((size_t)length + 1, sizeof *marked);
    for (uint32_t b = 0; b < graph.count; b++) {
        struct insn *insn = &program->code[graph.blocks[b].last];
        int32_t meeting = graph.blocks[b].post_dominator;
        if (!may_diverge(insn) || meeting < 0 || meeting == (int32_t)graph.count)
            continue;
        insn->reconverge = graph.blocks[meeting].first;
        marked[insn->reconverge - first_pc] = true;
    }
    for (uint32_t pc = first_pc; pc + 1 < graph.end_pc; pc++) {
        struct insn *insn = &program->code[pc];
        if (insn->flow != FLOW_CALL)
            continue;
        const struct call_site *call = &program->calls[insn->call];
        if (call->function >= 0 || call->builtin != BUILTIN_NONE)
            continue;
        insn->reconverge = pc + 1;
        marked[pc + 1 - first_pc] = true;
    }
    insert_joins(program, &graph, first_live, marked);
    for (uint32_t b = 0; b < graph.count; b++)
        free(graph.blocks[b].successors);
    free(graph.blocks);
    free(graph.block_of);
    free(graph.predecessor_start);
    free(graph.predecessors);
    free(graph.by_order);
    return true;
}
