/* Reporting hazards: one record for two lines, with the best example. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HAZARD_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HAZARD_H

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/warp.h"

/* `lane` and `access->address` of the first offender; `lanes` of all of them. */
/* The new hazard, or NULL where it was counted as one that is known. */
struct hazard *hazard_access(struct warp *warp, const struct insn *insn, enum hazard_kind kind,
                             unsigned lane, lane_mask lanes, const struct access *access);
__attribute__((format(printf, 7, 8))) struct hazard *
hazard_report(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
              enum hazard_severity severity, lane_mask lanes, const char *format, ...);
/* What an instruction does to memory, for a picture of the hazard. */
enum scene_access scene_access_of(const struct insn *insn, bool store);
/* What to do about it, where the hazard's page says something else. NULL, as a report gives where
 * there is one already, is ignored. */
void hazard_suggest(struct hazard *hazard, enum hazard_fix fix);
/* A data race: one report for two lines, the gravest and the one that names both threads. True, and
 * counted, where there is already one as good: where every access races, formatting each message
 * would take most of the time. */
bool hazard_repeats_race(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                         enum hazard_severity severity, enum race_span span, unsigned lane,
                         bool vague);
static inline void hazard_note_span(struct hazard_record *record, enum race_span span) {
    record->span = record->span < span ? span : record->span;
}
/* The same at a glance, for two instructions that race everywhere. */
static inline bool hazard_is_reported(struct warp *warp, uint32_t pc, uint32_t other_pc,
                                      enum hazard_kind kind, enum race_span span) {
    struct host_thread *host_thread = warp->host_thread;
    const struct block *block = warp->block;
    const struct reported_race *reported = &host_thread->reported[reported_slot(pc, other_pc)];
    if (!reported->hazard || reported->pc != pc || reported->other_pc != other_pc)
        return false;
    struct hazard_record *record = &host_thread->hazards[reported->hazard - 1];
    if (record->hazard.kind != kind || block->index < record->block_index ||
        (block->index == record->block_index && block->executed << 5 <= record->moment))
        return false;
    record->hazard.count++;
    hazard_note_span(record, span);
    return true;
}
/* The source line of an instruction, for a hazard that no thread came to. */
void hazard_set_place(struct hazard *hazard, const struct program *program, uint32_t pc);
/* It takes the place of one that is not as good. NULL where there are too many. */
__attribute__((format(printf, 9, 10))) struct hazard *
hazard_report_race(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                   enum hazard_severity severity, enum race_span span, unsigned lane, bool vague,
                   const char *format, ...);
/* Is it a report of the same two lines, and which is the better example: negative where a is. */
bool hazard_same_place(const struct hazard_record *a, const struct hazard_record *b);
int hazard_compare_examples(const struct hazard_record *a, const struct hazard_record *b);
/* A trap instruction: of the source, or what the compiler made of a store to constant memory. */
void hazard_trap(struct warp *warp, uint32_t pc, lane_mask lanes);
/* The kernel has used its instruction budget up: names the line where it spent most. */
void hazard_budget(struct warp *warp, uint32_t pc, lane_mask lanes);
/* An instruction that is not executed, in the decoder's words. */
void hazard_unsupported(struct warp *warp, uint32_t pc, lane_mask lanes, const char *what);

#endif
