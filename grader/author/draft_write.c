/* The files of a draft: exercise.yaml, the statement, the skeleton. */
#include "grader/author/draft.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { WIDER = 2 }; /* a double than a float */

/* Cases by the number of sizes: what every solution handles, then where mistakes show. */
struct draft_case {
    const char *name;
    int64_t values[DRAFT_MAX_SIZES];
};

static const struct draft_case right_1[] = {
    {"one-block", {256}}, {"four-blocks", {1024}}, {"many-blocks", {8192}}, {NULL, {0}}};
static const struct draft_case edge_1[] = {
    {"one-element", {1}},    {"two-elements", {2}}, {"warp-minus-1", {31}},
    {"one-warp", {32}},      {"warp-plus-1", {33}}, {"block-minus-1", {255}},
    {"block-plus-1", {257}}, {"prime", {1009}},     {NULL, {0}}};
static const struct draft_case right_2[] = {
    {"square", {64, 64}}, {"wide", {32, 96}}, {"high", {96, 32}}, {NULL, {0}}};
static const struct draft_case edge_2[] = {
    {"one-element", {1, 1}},     {"one-row", {1, 70}},       {"one-column", {70, 1}},
    {"block-minus-1", {15, 31}}, {"block-plus-1", {17, 33}}, {"rows-more", {65, 7}},
    {"columns-more", {7, 65}},   {"primes", {53, 37}},       {NULL, {0}}};
static const struct draft_case right_3[] = {
    {"cube", {32, 32, 32}}, {"flat", {16, 48, 32}}, {"long", {48, 16, 32}}, {NULL, {0}}};
static const struct draft_case edge_3[] = {
    {"one-element", {1, 1, 1}},     {"first-only", {33, 1, 1}},
    {"second-only", {1, 33, 1}},    {"third-only", {1, 1, 33}},
    {"block-plus-1", {17, 17, 17}}, {"primes", {13, 29, 19}},
    {"odd", {31, 15, 7}},           {NULL, {0}}};
static const struct draft_case right_4[] = {
    {"even", {8, 8, 8, 8}}, {"flat", {4, 16, 8, 8}}, {NULL, {0}}};
static const struct draft_case edge_4[] = {
    {"one-element", {1, 1, 1, 1}}, {"primes", {5, 11, 7, 13}}, {"odd", {9, 3, 5, 7}}, {NULL, {0}}};
static const struct draft_case right_0[] = {{"whole", {0}}, {NULL, {0}}};
static const struct draft_case edge_0[] = {{"again", {0}}, {NULL, {0}}};

static const struct {
    const struct draft_case *right, *edge;
    int64_t highest; /* of the generated cases */
} tables[DRAFT_MAX_SIZES + 1] = {{right_0, edge_0, 0},
                                 {right_1, edge_1, 4000},
                                 {right_2, edge_2, 90},
                                 {right_3, edge_3, 30},
                                 {right_4, edge_4, 10}};

static bool is_float(const struct draft_param *param) {
    return element_infos[param->type].is_float;
}

static bool is_output(const struct draft_param *param) {
    return param->role == ROLE_OUT || param->role == ROLE_INOUT;
}

/* ---- exercise.yaml --------------------------------------------------------------------------- */

static void append_param(const struct draft *draft, const struct draft_param *param,
                         struct text *out) {
    static const char *const roles[] = {"in", "out", "inout", "size", "scalar"};
    text_printf(out, "  - {name: %s, type: %s, role: %s", param->name,
                element_infos[param->type].name, roles[param->role]);
    if (param->shape[0])
        text_printf(out, strchr(param->shape, '(') ? ", shape: [\"%s\"]" : ", shape: [%s]",
                    param->shape);
    bool is_filled =
        param->role == ROLE_IN || param->role == ROLE_INOUT || param->role == ROLE_SCALAR;
    if (param->role == ROLE_INOUT && param->is_sum)
        text_append(out, ", fill: zero");
    else if (is_filled && is_float(param))
        text_append(out, ", fill: uniform");
    else if (is_filled)
        text_append(out, param->type == ELEMENT_u8   ? ", fill: {integers: [0, 255]}"
                         : param->type == ELEMENT_i8 ? ", fill: {integers: [0, 127]}" /* a text */
                                                     : ", fill: {integers: [0, 4]}");
    if (is_output(param) && !is_float(param))
        text_append(out, ", tolerance: exact");
    else if (is_output(param))
        text_append(out, draft->adds_up ? ", tolerance: {rel: 1e-4, abs: 1e-4}"
                                        : ", tolerance: {ulp: 4}");
    text_append(out, "}\n");
}

/* `before` ends with the indentation of the keys. */
static void append_launch(const struct draft *draft, const char *before, unsigned shared_bytes,
                          struct text *out) {
    const char *indent = strrchr(before, '\n') + 1;
    text_printf(out, "%sgrid: [\"%s\"", before, draft->grid[0]);
    if (draft->axes == 2)
        text_printf(out, ", \"%s\"", draft->grid[1]);
    text_printf(out, "]\n%sblock: [%u", indent, draft->block[0]);
    if (draft->axes == 2)
        text_printf(out, ", %u", draft->block[1]);
    text_append(out, "]\n");
    if (shared_bytes)
        text_printf(out, "%sshared: %u\n", indent, shared_bytes);
}

static void append_sizes(const struct draft *draft, const int64_t *values, struct text *out) {
    text_append(out, "sizes: {");
    for (size_t i = 0; i < draft->size_count; i++)
        text_printf(out, "%s%s: %" PRId64, i ? ", " : "", draft->params[draft->sizes[i]].name,
                    values[i]);
    text_append(out, "}");
}

static void append_group(const struct draft *draft, const char *group,
                         const struct draft_case *cases, struct text *out) {
    text_printf(out, "  %s:\n", group);
    for (; cases->name; cases++) {
        text_printf(out, "    - {name: %s, ", cases->name);
        append_sizes(draft, cases->values, out);
        text_append(out, "}\n");
    }
}

/* One size at a time of more than two blocks of threads in a row, where the table stays below. */
static void append_large(const struct draft *draft, struct text *out) {
    enum { SMALL = 20, MORE = 33 };
    for (size_t i = 0;
         i < draft->size_count && draft->size_count > 1 && (draft->axes == 1 || draft->is_flat);
         i++) {
        int64_t values[DRAFT_MAX_SIZES] = {SMALL, SMALL, 1, 1};
        values[i] = 2 * (int64_t)draft->block[0] + MORE;
        text_printf(out, "    - {name: many-%zu, ", i + 1);
        append_sizes(draft, values, out);
        text_append(out, "}\n");
    }
}

static void append_cases(const struct draft *draft, struct text *out) {
    text_append(out, "cases:\n");
    append_group(draft, "correctness", tables[draft->size_count].right, out);
    append_group(draft, "boundary", tables[draft->size_count].edge, out);
    append_large(draft, out);
    if (!draft->size_count)
        return;
    text_append(out, "  generated:\n    count: 6\n    sizes: {");
    for (size_t i = 0; i < draft->size_count; i++)
        text_printf(out, "%s%s: [1, %" PRId64 "]", i ? ", " : "",
                    draft->params[draft->sizes[i]].name, tables[draft->size_count].highest);
    text_append(out, "}\n");
}

void draft_write_yaml(const struct draft *draft, const char *mutants, struct text *out) {
    text_printf(out,
                "# yaml-language-server: $schema=../exercise.schema.json\n"
                "id: %s\n"
                "title: {en: \"%s\"}\n"
                "topics: [drafts]\n\n"
                "kernel: %s\n"
                "params:\n",
                draft->id, draft->id, draft->kernel->name);
    for (size_t i = 0; i < draft->param_count; i++)
        append_param(draft, &draft->params[i], out);
    append_launch(draft, "launch:\n  ", draft->shared_bytes, out);
    if (draft->shared_bytes) /* it has doubles there */
        append_launch(draft, "reference:\n  launch:\n    ", draft->shared_bytes * WIDER, out);
    text_append_char(out, '\n');
    append_cases(draft, out);
    text_append(out, draft->size_count
                         ? "\nscoring:\n  groups: {correctness: 40, boundary: 40, generated: 20}\n"
                           "  gates:\n    - {unless: correctness, cap: 50}\n"
                           "    - {when: hazard, cap: 55}\n"
                         : "\nscoring:\n  groups: {correctness: 60, boundary: 40}\n");
    text_printf(out, "\nmutants:\n%s", mutants);
}

/* ---- statement and skeleton ------------------------------------------------------------------ */

static void append_declaration(const struct draft *draft, struct text *out) {
    text_printf(out, "__global__ void %s(", draft->kernel->name);
    for (size_t i = 0; i < draft->param_count; i++)
        text_printf(out, "%s%s", i ? ", " : "", draft->params[i].declared);
    text_append(out, ")");
}

static void append_call(const struct draft *draft, struct text *out) {
    if (draft->axes == 2)
        text_printf(out, "%s<<<dim3(%s, %s), dim3(%u, %u)", draft->kernel->name, draft->grid[0],
                    draft->grid[1], draft->block[0], draft->block[1]);
    else
        text_printf(out, "%s<<<%s, %u", draft->kernel->name, draft->grid[0], draft->block[0]);
    if (draft->shared_bytes)
        text_printf(out, ", %u", draft->shared_bytes);
    text_append(out, ">>>(");
    for (size_t i = 0; i < draft->param_count; i++)
        text_printf(out, "%s%s", i ? ", " : "", draft->params[i].name);
    text_append(out, ");");
}

static void append_roles(const struct draft *draft, struct text *out) {
    for (size_t i = 0; i < draft->param_count; i++) {
        const struct draft_param *param = &draft->params[i];
        static const char *const does[] = {[ROLE_IN] = "is read, and stays as it is",
                                           [ROLE_OUT] = "is written, every element",
                                           [ROLE_INOUT] = "is read and written",
                                           [ROLE_SIZE] = "is a size, from 1 on",
                                           [ROLE_SCALAR] = "is one value"};
        text_printf(out, "- `%s`", param->name);
        if (param->shape[0])
            text_printf(out, " of [%s] elements", param->shape);
        text_printf(out, " %s\n", does[param->role]);
    }
}

void draft_write_statement(const struct draft *draft, struct text *out) {
    text_printf(out,
                "# %s\n\n**The idea.** (For the author to write: the one idea of the exercise, and "
                "what the kernel computes.)\n\nWrite a kernel:\n\n```cuda\n",
                draft->id);
    append_declaration(draft, out);
    text_append(out, "\n```\n\nIt is launched as\n\n```cuda\n");
    append_call(draft, out);
    text_append(out,
                "\n```\n\nwhere `ceil_div(a, b)` is a / b, rounded up.\n\n## What to write\n\n");
    append_roles(draft, out);
    text_append(out,
                draft->size_count
                    ? "\n## What is judged\n\n"
                      "- **Correctness** (40 points): sizes that fill all blocks.\n"
                      "- **Boundary** (40 points): one element, one more and one less than a warp "
                      "and a block, primes.\n"
                      "- **Generated** (20 points): sizes that are not known beforehand.\n"
                    : "\n## What is judged\n\n- **Correctness** (60 points) and **boundary** (40 "
                      "points).\n");
}

/* The headers that the signature may need, as the kernel's file has them. */
static void append_includes(const struct draft *draft, struct text *out) {
    bool any = false;
    for (const char *line = draft->source, *end; *line; line = *end ? end + 1 : end) {
        const char *at = line + strspn(line, " \t");
        end = strchrnul(line, '\n');
        if (*at != '#' || strncmp(at + 1 + strspn(at + 1, " \t"), "include", 7) != 0)
            continue;
        text_printf(out, "%.*s\n", (int)(end - line), line);
        any = true;
    }
    text_append(out, any ? "\n" : "");
}

void draft_write_skeleton(const struct draft *draft, struct text *out) {
    text_printf(out, "// warpgrade: %s\n//\n// Launched as\n//     ", draft->id);
    append_call(draft, out);
    text_printf(out, "\n//\n// Grade it with `warpgrade grade %s.cu`.\n\n", draft->id);
    append_includes(draft, out);
    append_declaration(draft, out);
    text_append(out, "\n{\n    // Your code.\n}\n");
}
