/* What a video instruction does to its operands, packed into insn->video by the decoder. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_VIDEO_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_VIDEO_H

#include <stdint.h>

enum video_secondary { VIDEO_NONE, VIDEO_ADD, VIDEO_MIN, VIDEO_MAX };

/* Part selectors: scalar forms name one part (PART_*), SIMD forms one source part a result part,
 * four bits each, counted through a and then b. */
enum { PART_WORD, PART_B0, PART_B1, PART_B2, PART_B3, PART_H0, PART_H1 };

enum { NEGATE_PRODUCT = 1, NEGATE_C = 2 };

struct video {
    uint8_t signs; /* bit 0: the destination, 1: a, 2: b is signed */
    uint8_t secondary, scale;
    uint8_t negate; /* vmad: NEGATE_* */
    uint8_t merge;  /* scalar: PART_*; SIMD: a bit for each part that is written */
    uint16_t a_parts, b_parts;
};

static inline int64_t video_pack(struct video video) {
    return (int64_t)((uint64_t)video.signs | (uint64_t)video.secondary << 4 |
                     (uint64_t)video.negate << 6 | (uint64_t)video.scale << 8 |
                     (uint64_t)video.merge << 16 | (uint64_t)video.a_parts << 24 |
                     (uint64_t)video.b_parts << 40);
}
static inline struct video video_unpack(int64_t packed) {
    uint64_t bits = (uint64_t)packed;
    return (struct video){.signs = bits & 7,
                          .secondary = bits >> 4 & 3,
                          .negate = bits >> 6 & 3,
                          .scale = bits >> 8 & 31,
                          .merge = bits >> 16 & 255,
                          .a_parts = (uint16_t)(bits >> 24),
                          .b_parts = (uint16_t)(bits >> 40)};
}

#endif
