/* See class_fixtures.h. What a student gets follows from the student's number, so that a class is
 * the same in every run. */
#include "tests/golden/class_fixtures.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MADE = 1795446300, HOUR = 3600, DAY = 24 * HOUR, CET = HOUR }; /* 2026-11-23 15:05 UTC */

static const struct class_case saxpy_cases[] = {
    {"one-block", 44, 3}, {"tail", 44, 17}, {"empty", 44, 1}, {"large", 44, 9}, {"speed", 40, 12}};
static const struct class_case matmul_cases[] = {{"square", 41, 6},
                                                 {"not-a-multiple-of-the-tile", 41, 22},
                                                 {"one-row", 41, 18},
                                                 {"wide", 41, 8}};
static const struct class_case scan_cases[] = {{"two-blocks", 30, 29}, {"tail", 30, 11}};

static const struct class_exercise catalogue[] = {
    {"saxpy", "Scale and add", 20, 12, {MADE - 9 * DAY, CET}, saxpy_cases, 5},
    {"matmul", "Matrix product in tiles", 40, 24, {MADE - 3 * DAY, CET}, matmul_cases, 4},
    {"reduction", "Sum of a vector", 30, 18, {MADE - 2 * DAY, CET}, NULL, 0},
    {"scan",
     "Prefix sums over many blocks",
     30,
     18,
     {MADE + 4 * DAY + 5 * HOUR, CET},
     scan_cases,
     2},
    {"histogram", NULL, 25, 15, {0}, NULL, 0},
    {"stencil", "A stencil in shared memory", 25, 0, {0}, NULL, 0},
    {"transpose", "Transpose without bank conflicts", 25, 15, {0}, NULL, 0},
    {"spmv", "Sparse matrix times vector", 25, 15, {0}, NULL, 0},
    {"sort", "Bitonic sort", 25, 15, {0}, NULL, 0},
    {"bfs", "Breadth-first search", 25, 15, {0}, NULL, 0},
    {"conv", "Convolution", 25, 15, {0}, NULL, 0},
    {"nbody", "Bodies that attract each other", 25, 15, {0}, NULL, 0},
};

/* What goes wrong, as often as it stands here. */
static const struct class_cell findings[] = {
    {.verdict = "hazard",
     .hazard = "out-of-bounds",
     .message = "out of bounds: thread (1, 0, 0) of block (8, 0, 0) reads x; it has 257 elements",
     .next = "Let a thread work only where its index is below `n`.",
     .line = 6,
     .excerpt =
         "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    y[i] = a * x[i] + y[i];\n}\n",
     .excerpt_line = 5},
    {.verdict = "hazard",
     .hazard = "shared-race",
     .message = "shared-memory race: two threads use tile[17] and nothing orders them",
     .next = "Put __syncthreads() between the write and the read.",
     .line = 14,
     .excerpt = "    tile[threadIdx.x] = in[i];\n    // everyone is here by now\n"
                "    float sum = tile[threadIdx.x] + tile[threadIdx.x ^ 1];\n",
     .excerpt_line = 12},
    {.verdict = "wrong-answer",
     .cause = "missing-tail",
     .cause_text = "the last elements are left out where n is not a multiple of the block",
     .message = "wrong answer: out[256] is 0, expected 1.5"},
    {.verdict = "hazard",
     .hazard = "barrier-divergence",
     .line = 21,
     .message = "17 of 32 threads wait at the barrier",
     .next = "Move the barrier out of the branch."},
    {.verdict = "wrong-answer", .message = "wrong answer: out[0] is 3, expected 2"},
    {.verdict = "too-slow",
     .message = "right, but 3.4 times as long as the tuned kernel",
     .next = "Let neighbouring threads read neighbouring elements."},
    {.verdict = "compile-error",
     .message = "error: identifier \"blockidx\" is undefined",
     .line = 3},
    {.verdict = "nondeterministic", .message = "the result changes from run to run"},
};

static const char *const names[] = {
    "Ada Lovelace",  "Grace Hopper",  "Alan Turing",  "Edsger Dijkstra",   "Barbara Liskov",
    "Donald Knuth",  "Frances Allen", "Ken Thompson", "Margaret Hamilton", "John Backus",
    "Radia Perlman", "Tony Hoare",    "Jean Bartik",  "Niklaus Wirth",     "Shafi Goldwasser",
    "王小明",        "José Ñandú",    "Zoë Ångström", "Łukasz Żak",        "Ngũgĩ wa Thiong'o",
};
static const char *const limiters[] = {"DRAM-bound", "latency-bound", "L2-cache-bound",
                                       "shared-memory-bound"};

/* ---- pieces ---------------------------------------------------------------------------------- */

static const char *keep(struct class_fixture *f, char *string) {
    *(char **)mem_push(&f->strings, &f->string_count, &f->string_capacity) = string;
    return string;
}

static unsigned mix(size_t student, size_t exercise, unsigned salt) {
    unsigned x =
        (unsigned)student * 2654435761u + (unsigned)exercise * 40503u + salt * 97u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x;
}

static struct class_cell *cell_of(struct class_fixture *f, size_t student, size_t exercise) {
    return &f->cells[student * f->report.exercise_count + exercise];
}

static void settle(struct class_fixture *f, size_t student, size_t exercise) {
    struct class_cell *cell = cell_of(f, student, exercise);
    const struct class_exercise *row = &f->exercises[exercise];
    if (!cell->override_by)
        cell->final_score = cell->score > cell->penalty ? cell->score - cell->penalty : 0;
    cell->passed = row->pass_mark > 0 ? cell->final_score >= row->pass_mark : cell->final_score > 0;
}

static void fill_right(struct class_fixture *f, size_t student, size_t exercise) {
    struct class_cell *cell = cell_of(f, student, exercise);
    unsigned random = mix(student, exercise, 3);
    cell->verdict = "pass";
    cell->score = f->exercises[exercise].max_score - random % 4;
    cell->ratio_to_tuned = 1 + (random % 7) * (random % 7) * .09 + (random % 19 == 0 ? 9.5 : 0);
    cell->limiter = limiters[random % 4 * (random % 3 > 0)];
}

static void fill_wrong(struct class_fixture *f, size_t student, size_t exercise) {
    struct class_cell *cell = cell_of(f, student, exercise);
    unsigned random = mix(student, exercise, 4);
    size_t kind = random % 36;
    size_t index = kind < 13 ? 0 : kind < 21 ? 1 : kind < 26 ? 2 : 3 + kind % 5;
    *cell = findings[index];
    cell->score = f->exercises[exercise].max_score * (random / 64 % 18) / 20;
    if (strcmp(cell->verdict, "compile-error") == 0)
        cell->score = 0;
    if (cell->line)
        cell->file = keep(f, mem_printf("src/%s.cu", f->exercises[exercise].id));
    if (strcmp(cell->verdict, "too-slow") == 0) {
        cell->score = f->exercises[exercise].max_score * .75;
        cell->ratio_to_tuned = 3.4;
        cell->limiter = "DRAM-bound";
    }
}

static void fill_late(struct class_cell *cell, unsigned random) {
    cell->late_seconds = random % 5 ? (int64_t)(random % 70) * HOUR + 1500 : 600;
    if (cell->late_seconds < HOUR / 2)
        return;
    cell->penalty = cell->late_seconds > DAY ? 4 : 2;
    cell->penalty_why = "10 % for each day that was begun";
}

static void fill_cell(struct class_fixture *f, size_t student, size_t exercise) {
    struct class_cell *cell = cell_of(f, student, exercise);
    unsigned random = mix(student, exercise, 1);
    int64_t deadline = f->exercises[exercise].deadline.at;
    if (random % 100 < 9 + 4 * exercise)
        return; /* not submitted */
    if (random / 128 % 100 < 64 - 4 * exercise)
        fill_right(f, student, exercise);
    else
        fill_wrong(f, student, exercise);
    cell->state = CLASS_GRADED;
    cell->attempts = 1 + random % 3;
    cell->commit = keep(
        f, mem_printf("%08x%08x%08x%08x%08x", random, ~random, random * 3, random * 5, random * 7));
    if (deadline && deadline < MADE && random % 11 == 0)
        fill_late(cell, random / 11);
    cell->committed = (struct class_time){
        deadline && deadline < MADE
            ? deadline + (cell->late_seconds ? cell->late_seconds : -(int64_t)(random % (5 * DAY)))
            : MADE - (int64_t)(random % (2 * DAY)),
        CET};
    cell->report = keep(f, mem_printf("s%03zu/%s.html", student + 1, f->exercises[exercise].id));
    settle(f, student, exercise);
}

static void fill_student(struct class_fixture *f, size_t number) {
    struct class_student *student = &f->students[number];
    const char *name = names[number % ARRAY_LENGTH(names)];
    student->id = keep(f, mem_printf("s%03zu", number + 1));
    student->name = number < ARRAY_LENGTH(names)
                        ? name
                        : keep(f, mem_printf("%s %zu", name, number / ARRAY_LENGTH(names) + 1));
    student->mail = keep(f, mem_printf("s%03zu@example.org", number + 1));
    student->page = keep(f, mem_printf("s%03zu.txt", number + 1));
}

static void add_totals(struct class_fixture *f) {
    for (size_t i = 0; i < f->report.student_count; i++) {
        f->students[i].total = f->students[i].max_total = 0;
        for (size_t j = 0; j < f->report.exercise_count; j++) {
            f->students[i].total += cell_of(f, i, j)->final_score;
            f->students[i].max_total += f->exercises[j].max_score;
        }
    }
}

static struct class_fixture *make(size_t students, size_t exercises, enum language language) {
    struct class_fixture *f = mem_zalloc(sizeof *f);
    f->exercises = mem_calloc(exercises, sizeof *f->exercises);
    f->students = mem_calloc(students, sizeof *f->students);
    f->cells = mem_calloc(students * exercises, sizeof *f->cells);
    memcpy(f->exercises, catalogue, exercises * sizeof *catalogue);
    f->report = (struct class_report){
        .course =
            language == LANGUAGE_ZH ? "GPU 程序设计，2026 年秋" : "GPU programming, autumn 2026",
        .language = language,
        .made = {MADE, CET},
        .engine = "sim",
        .tool = "warpgrade 1.0",
        .late_policy = language == LANGUAGE_ZH ? "每迟交一天扣 10 %，宽限 30 分钟"
                                               : "10 % a day, after a grace of 30 minutes",
        .exercises = f->exercises,
        .exercise_count = exercises,
        .students = f->students,
        .student_count = students,
        .cells = f->cells,
    };
    for (size_t i = 0; i < students; i++)
        fill_student(f, i);
    return f;
}

struct class_fixture *class_fixture_usual(size_t students, size_t exercises,
                                          enum language language) {
    struct class_fixture *f = make(students, exercises, language);
    for (size_t i = 0; i < students; i++)
        for (size_t j = 0; j < exercises; j++)
            fill_cell(f, i, j);
    add_totals(f);
    return f;
}

struct class_fixture *class_fixture_tiny(void) {
    struct class_fixture *f = make(2, 1, LANGUAGE_EN);
    struct class_cell *cell = cell_of(f, 0, 0);
    *cell = (struct class_cell){.state = CLASS_GRADED,
                                .score = 20,
                                .verdict = "pass",
                                .ratio_to_tuned = 1.02,
                                .limiter = "DRAM-bound",
                                .commit = "1a2b3c4d5e6f",
                                .committed = {MADE - 10 * DAY, CET},
                                .attempts = 2,
                                .attempts_allowed = 5,
                                .report = "s001/saxpy.html"};
    settle(f, 0, 0);
    f->exercises[0].cases = NULL;
    f->exercises[0].case_count = 0;
    f->students[1].mail = NULL;
    add_totals(f);
    return f;
}

/* ---- everything that can happen -------------------------------------------------------------- */

static void fill_hostile_names(struct class_fixture *f) {
    char *endless = mem_alloc(251);
    memset(endless, 'W', 250);
    endless[250] = '\0';
    f->students[7].name = "<script>alert(1)</script>";
    f->students[8].name = "\u202egnp.tpircs\u202c \u2066x";
    f->students[9].name = "=HYPERLINK(\"http://evil.example\";\"open\")";
    f->students[10].name = keep(f, endless);
    f->students[11].name = "Eve\r\nBcc: everyone@example.org\r\n\r\nHello";
    f->students[11].mail = "eve@example.org\r\nBcc: everyone@example.org";
    f->students[12].name = "\xff\xfe \x1b[31mred\x1b[0m \"quoted\" <a@b.example>";
    f->students[12].mail = "Eve <eve@example.org>";
    f->students[13].name =
        "学生学生学生学生学生学生学生学生学生学生学生学生学生学生学生学生学生学生学生";
    f->students[7].page = "javascript:alert(1)";
    f->students[8].page = "../../etc/passwd";
    f->students[9].page = "//evil.example/x";
    f->students[10].page = "a b\"><img src=x>.txt";
    cell_of(f, 7, 0)->report = "javascript:alert(1)";
    cell_of(f, 8, 0)->report = "../../etc/passwd";
    cell_of(f, 9, 0)->report = "//evil.example/x";
    cell_of(f, 7, 0)->message = "</p><script>alert(2)</script>";
    cell_of(f, 7, 0)->excerpt = "</span></pre><script>\x1b[31m\n\tx[i] = \"&\"; // \u202e\r\n";
}

static void set_state(struct class_fixture *f, size_t student, size_t exercise,
                      enum class_state state, const char *message) {
    *cell_of(f, student, exercise) = (struct class_cell){.state = state, .message = message};
}

static void set_override(struct class_fixture *f, size_t student, size_t exercise, double points,
                         const char *by, const char *why) {
    struct class_cell *cell = cell_of(f, student, exercise);
    cell->override_by = by;
    cell->override_why = why;
    cell->override_at = (struct class_time){MADE - 6 * HOUR, CET};
    cell->final_score = points;
    settle(f, student, exercise);
}

static void set_own_deadline(struct class_fixture *f, size_t student, size_t exercise) {
    struct class_cell *cell = cell_of(f, student, exercise);
    cell->own_deadline = (struct class_time){MADE + 2 * DAY, CET};
    cell->late_seconds = 0;
    cell->penalty = 0;
    settle(f, student, exercise);
}

struct class_fixture *class_fixture_full(enum language language) {
    struct class_fixture *f = class_fixture_usual(CLASS_FIXTURE_FULL, 4, language);
    fill_hostile_names(f);
    for (size_t j = 0; j < 4; j++) {
        set_state(f, 17, j, CLASS_NOT_SUBMITTED, NULL);
        set_state(f, 33, j, CLASS_NOT_SUBMITTED, NULL);
        set_state(f, 20, j, CLASS_UNREADABLE,
                  "https://git.example/s021.git: the server asks for a password");
    }
    set_state(f, 21, 1, CLASS_UNJUDGED,
              "the worker was stopped: no memory was left on the machine");
    set_state(f, 40, 2, CLASS_UNJUDGED,
              "the worker was stopped: no memory was left on the machine");
    set_state(f, 22, 0, CLASS_REFUSED, "src/saxpy.cu has 5 MiB; 1 MiB is the most");
    set_state(f, 23, 3, CLASS_PENDING, NULL);
    set_override(f, 24, 0, 20, "Prof. Karp", "graded by hand: the exercise's text was ambiguous");
    set_override(f, 33, 1, 24, "Prof. Karp <karp@example.org>", "shown on paper while ill");
    set_own_deadline(f, 25, 1);
    cell_of(f, 26, 0)->flags = 1u << CLASS_FLAG_FUTURE_COMMIT | 1u << CLASS_FLAG_PINNED;
    cell_of(f, 27, 1)->flags = 1u << CLASS_FLAG_BEFORE_PARENT;
    cell_of(f, 28, 2)->flags = 1u << CLASS_FLAG_REWRITTEN_HISTORY;
    cell_of(f, 29, 0)->flags = 1u << CLASS_FLAG_NO_FULL_JAIL;
    cell_of(f, 30, 0)->verdict = "a-verdict-of-later"; /* than this program */
    add_totals(f);
    return f;
}

void class_fixture_free(struct class_fixture *f) {
    for (size_t i = 0; i < f->string_count; i++)
        free(f->strings[i]);
    free(f->strings);
    free(f->cells);
    free(f->students);
    free(f->exercises);
    free(f);
}
