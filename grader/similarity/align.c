/* Two sources beside each other. Of the lines that agree the longest run in the same order in both
 * (the longest increasing subsequence) fixes the rows; what else agrees was moved, and says where.
 */
#include "grader/similarity/show.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

/* Marks the lines of the longest increasing subsequence of `right`. */
static bool *mark_order(const struct similarity_lines *lines, size_t count) {
    bool *marked = mem_calloc(count + 1, sizeof *marked);
    cleanup_free size_t *ends = mem_calloc(count + 1, sizeof *ends); /* of the best of a length */
    cleanup_free size_t *before = mem_calloc(count + 1, sizeof *before);
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (lines[ends[middle]].right < lines[i].right)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? ends[low - 1] : count;
        ends[low] = i;
        longest = low == longest ? longest + 1 : longest;
    }
    for (size_t i = longest ? ends[longest - 1] : count; i < count; i = before[i])
        marked[i] = true;
    return marked;
}

struct aligner {
    struct similarity_row *rows;
    size_t count, capacity;
    const uint32_t *left_to, *right_to; /* of a line: the line of the other that it agrees with */
    uint32_t left, right;               /* lines that have their row */
};

/* Lines up to these, side by side in their order. */
static void fill(struct aligner *aligner, uint32_t left, uint32_t right) {
    while (aligner->left < left || aligner->right < right) {
        struct similarity_row *row = mem_push(&aligner->rows, &aligner->count, &aligner->capacity);
        if (aligner->left < left) {
            row->left = ++aligner->left;
            row->left_elsewhere = aligner->left_to[row->left];
        }
        if (aligner->right < right) {
            row->right = ++aligner->right;
            row->right_elsewhere = aligner->right_to[row->right];
        }
    }
}

struct similarity_row *similarity_align(const struct similarity_pair *pair, size_t left_lines,
                                        size_t right_lines, size_t *count) {
    cleanup_free bool *ordered = mark_order(pair->lines, pair->line_count);
    cleanup_free uint32_t *left_to = mem_calloc(left_lines + 1, sizeof *left_to);
    cleanup_free uint32_t *right_to = mem_calloc(right_lines + 1, sizeof *right_to);
    struct aligner aligner = {.left_to = left_to, .right_to = right_to};
    for (size_t i = 0; i < pair->line_count; i++) {
        const struct similarity_lines *line = &pair->lines[i];
        if (line->left <= left_lines && line->right <= right_lines && !ordered[i]) {
            left_to[line->left] = line->right;
            right_to[line->right] = line->left;
        }
    }
    for (size_t i = 0; i < pair->line_count; i++) {
        const struct similarity_lines *line = &pair->lines[i];
        if (!ordered[i] || line->left > left_lines || line->right > right_lines)
            continue;
        fill(&aligner, line->left - 1, line->right - 1);
        *mem_push(&aligner.rows, &aligner.count, &aligner.capacity) =
            (struct similarity_row){.left = line->left, .right = line->right, .agree = true};
        aligner.left = line->left;
        aligner.right = line->right;
    }
    fill(&aligner, (uint32_t)left_lines, (uint32_t)right_lines);
    *count = aligner.count;
    return aligner.rows;
}
