/* Did a thread that has left the kernel go past a point without stopping there?
 *
 * `if (early) return; sync();` and `if (!early) sync(); rest();` look alike once the kernel is
 * over: some threads never came to the sync. The first is allowed in a warp and tolerated in a
 * block; the second is a mistake. What tells them apart is the last conditional branch or join that
 * the thread came by (struct split, passed): one that lies after the sync is reached by no thread
 * that left before it. */
#include "sandbox/simgpu/exec/barrier_bypass.h"

#include "sandbox/simgpu/state/host_thread.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/state/launch.h"

static void push(bool *visited, uint32_t *stack, uint32_t *depth, uint64_t pc, uint64_t length) {
    if (pc >= length || visited[pc])
        return;
    visited[pc] = true;
    stack[(*depth)++] = (uint32_t)pc;
}

/* Does control flow lead from after `from` to `to`, through branches forward only or through all?
 */
static bool flow_leads(const struct program *program, uint32_t from, uint32_t to, bool forward) {
    cleanup_free bool *visited = mem_calloc(program->length, sizeof *visited);
    cleanup_free uint32_t *stack = mem_calloc(program->length, sizeof *stack);
    uint32_t depth = 0;
    push(visited, stack, &depth, (uint64_t)from + 1, program->length);
    while (depth && !visited[to]) {
        uint32_t pc = stack[--depth];
        const struct insn *insn = &program->code[pc];
        bool ends = insn->flow == FLOW_BRANCH || insn->flow == FLOW_INDEXED ||
                    insn->flow == FLOW_EXIT || insn->flow == FLOW_RETURN;
        if (!ends || insn->guard != GUARD_NONE)
            push(visited, stack, &depth, (uint64_t)pc + 1, program->length);
        if (insn->flow == FLOW_BRANCH && (!forward || insn->target > pc))
            push(visited, stack, &depth, (uint64_t)insn->target, program->length);
        for (uint32_t t = 0; insn->flow == FLOW_INDEXED && t < program->targets[insn->targets];
             t++) {
            uint32_t target = program->targets[insn->targets + 1 + t];
            if (!forward || target > pc)
                push(visited, stack, &depth, target, program->length);
        }
    }
    return visited[to];
}

bool barrier_bypass_is_after(struct host_thread *host_thread, uint32_t from, uint32_t to) {
    if (host_thread->reach_from == from && host_thread->reach_to == to)
        return host_thread->reach_answer;
    const struct program *program = host_thread->launch->program;
    host_thread->reach_from = from;
    host_thread->reach_to = to;
    host_thread->reach_answer =
        to != PC_NONE &&
        (flow_leads(program, from, to, true) ||
         (flow_leads(program, from, to, false) && !flow_leads(program, to, from, false)));
    return host_thread->reach_answer;
}
