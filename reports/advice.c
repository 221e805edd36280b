/* The rules of the sentences, one row a kind of waste.
 *
 * A row compares what was counted with what would have been enough, in a common unit, roughly the
 * cycles of the unit that does the work: four sectors of global memory, one wavefront, one pass of
 * an atomic, one instruction of 32 lanes. That decides which of several wastes of a line is
 * reported; the sentence itself has the exact numbers. */
#include "reports/advice.h"

#include "reports/message.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <string.h>

/* What is below this many per request reads as noise. */
#define SLIGHT       0.05
/* Sectors are wasted where there are this many times the ideal ones. */
#define SPREAD       1.5
/* ... or where most requests touch one more. */
#define HALF_SECTOR  0.5
/* ... of requests that ask for this many at least. */
#define LEAST_ACROSS 2.0

/* The parts of the time that a waste makes longer, as bits. */
#define ON(part)     (1U << PART_##part)
enum {
    OF_CACHES = ON(l1) | ON(l2) | ON(dram) | ON(latency),
    OF_UNITS = ON(issue) | ON(fp32) | ON(fp64) | ON(special) | ON(matrix) | ON(latency),
};

struct waste_row {
    const char *about[3]; /* a metric with one of these in its name is about it */
    unsigned parts;
    bool is_use; /* the unit is used, and used well: waste only where it is what limits */
    double (*cycles)(const struct counters *c);
    void (*append)(const struct counters *c, enum language language, struct text *out);
    const char *fix[LANGUAGE_COUNT];
    const char *page;
};

static uint64_t beyond_count(uint64_t found, uint64_t enough) {
    return found > enough ? found - enough : 0;
}

static double beyond(uint64_t found, uint64_t enough) {
    return (double)beyond_count(found, enough);
}

/* A warp that reads two rows of a tile touches a sector or two more than if all lay side by side:
 * that is not worth a word. */
static double sectors_beyond(uint64_t found, uint64_t ideal) {
    return (double)found > SPREAD * (double)ideal ? beyond(found, ideal) : 0;
}

static double load_cycles(const struct counters *c) {
    return sectors_beyond(c->global_load_sectors, c->global_load_ideal_sectors) / 4;
}

static void append_loads(const struct counters *c, enum language language, struct text *out) {
    text_printf(
        out, WORDS(language, waste_loads),
        decimal(number_ratio(c->global_load_sectors, c->global_load_requests), 3).text,
        decimal(number_ratio(c->global_load_ideal_sectors, c->global_load_requests), 3).text);
}

static double store_cycles(const struct counters *c) {
    return sectors_beyond(c->global_store_sectors, c->global_store_ideal_sectors) / 4;
}

static void append_stores(const struct counters *c, enum language language, struct text *out) {
    text_printf(
        out, WORDS(language, waste_stores),
        decimal(number_ratio(c->global_store_sectors, c->global_store_requests), 3).text,
        decimal(number_ratio(c->global_store_ideal_sectors, c->global_store_requests), 3).text);
}

static double conflict_cycles(const struct counters *c) {
    return (double)c->shared_bank_conflicts;
}

static void append_conflicts(const struct counters *c, enum language language, struct text *out) {
    struct decimal conflicts = decimal(
        number_ratio(c->shared_bank_conflicts, c->shared_load_requests + c->shared_store_requests),
        3);
    text_printf(out, WORDS(language, waste_conflicts), conflicts.text,
                strcmp(conflicts.text, "1") == 0 ? "" : "s");
}

static double global_atomic_cycles(const struct counters *c) {
    return beyond(c->global_atomic_passes, c->global_atomic_requests);
}

static void append_global_atomics(const struct counters *c, enum language language,
                                  struct text *out) {
    text_printf(out, WORDS(language, waste_global_atomics),
                decimal(number_ratio(c->global_atomic_passes, c->global_atomic_requests), 3).text);
}

static double shared_atomic_cycles(const struct counters *c) {
    return beyond(c->shared_atomic_passes, c->shared_atomic_requests);
}

static void append_shared_atomics(const struct counters *c, enum language language,
                                  struct text *out) {
    text_printf(out, WORDS(language, waste_shared_atomics),
                decimal(number_ratio(c->shared_atomic_passes, c->shared_atomic_requests), 3).text);
}

static double local_cycles(const struct counters *c) {
    return (double)(c->local_load_sectors + c->local_store_sectors) / 4;
}

static void append_local(const struct counters *c, enum language language, struct text *out) {
    text_printf(
        out, WORDS(language, waste_local),
        100 * number_ratio(c->local_load_requests + c->local_store_requests, c->warp_instructions));
}

static double constant_cycles(const struct counters *c) {
    return (double)c->constant_replays;
}

static void append_constant(const struct counters *c, enum language language, struct text *out) {
    text_printf(out, WORDS(language, waste_constant),
                decimal(1 + number_ratio(c->constant_replays, c->constant_requests), 3).text);
}

static double lane_cycles(const struct counters *c) {
    return (double)c->inactive_lanes / WARP_LANES;
}

static void append_lanes(const struct counters *c, enum language language, struct text *out) {
    text_printf(
        out, WORDS(language, waste_lanes),
        decimal(WARP_LANES - number_ratio(c->inactive_lanes, c->warp_instructions), 3).text);
}

/* A warp whose first element lies in the middle of a sector needs one more than the ideal. The
 * caches pay for it, and DRAM does not: the next warp uses the rest of that sector. Requests for
 * few elements that lie apart, such as one of each of two rows, need one more, too, and no
 * alignment helps them. */
static double sectors_across(uint64_t requests, uint64_t found, uint64_t ideal) {
    double extra = number_ratio(beyond_count(found, ideal), requests);
    bool across = extra >= HALF_SECTOR && number_ratio(ideal, requests) >= LEAST_ACROSS;
    return sectors_beyond(found, ideal) == 0 && across ? extra * (double)requests : 0;
}

static double loads_across(const struct counters *c) {
    return sectors_across(c->global_load_requests, c->global_load_sectors,
                          c->global_load_ideal_sectors);
}

static double stores_across(const struct counters *c) {
    return sectors_across(c->global_store_requests, c->global_store_sectors,
                          c->global_store_ideal_sectors);
}

static double alignment_cycles(const struct counters *c) {
    return loads_across(c) + stores_across(c);
}

static void append_alignment(const struct counters *c, enum language language, struct text *out) {
    (loads_across(c) >= stores_across(c) ? append_loads : append_stores)(c, language, out);
    text_append(out, WORDS(language, waste_across));
}

static double contention_cycles(const struct counters *c) {
    return (double)c->global_atomic_requests;
}

static void append_contention(const struct counters *c, enum language language, struct text *out) {
    text_printf(out, WORDS(language, waste_contention), c->global_atomic_requests);
}

/* A double that is made of a float and becomes one again: two conversions, which take the unit of
 * the special functions. */
static uint64_t double_conversions(const struct counters *c) {
    uint64_t most = 2 * c->fp64_instructions;
    return c->conversion_instructions < most ? c->conversion_instructions : most;
}

static double double_cycles(const struct counters *c) {
    uint64_t doubles = c->fp64_instructions + double_conversions(c);
    return doubles > c->special_instructions ? (double)doubles : 0;
}

static void append_double(const struct counters *c, enum language language, struct text *out) {
    text_printf(out, WORDS(language, waste_double),
                100 * number_ratio(c->fp64_instructions, c->warp_instructions));
    if (double_conversions(c))
        text_printf(out, WORDS(language, waste_converts),
                    100 * number_ratio(c->conversion_instructions, c->warp_instructions));
}

/* An integer division looks for its quotient with a reciprocal; no counter has divisions of their
 * own, but where nothing else of the line takes that unit, they do. */
static double division_cycles(const struct counters *c) {
    bool others = c->special_instructions || c->fp64_instructions ||
                  2 * c->conversion_instructions > c->integer_instructions;
    return others ? 0 : (double)c->integer_instructions;
}

const char *advice_special_use(const struct counters *counters) {
    return double_cycles(counters) > 0     ? "double precision"
           : division_cycles(counters) > 0 ? "integer division"
                                           : NULL;
}

static void append_division(const struct counters *c, enum language language, struct text *out) {
    (void)c;
    text_append(out, WORDS(language, waste_division));
}

static void append_matrix(const struct counters *c, enum language language, struct text *out) {
    (void)c;
    text_append(out, WORDS(language, waste_matrix));
}

static void append_starts(const struct counters *c, enum language language, struct text *out) {
    (void)c;
    text_append(out, WORDS(language, waste_starts));
}

static const struct waste_row rows[WASTE_COUNT] = {
    [WASTE_LOADS] =
        {{"global_load", "dram", "l2_"},
         OF_CACHES,
         false,
         load_cycles,
         append_loads,
         {"Let neighbouring threads read neighbouring elements: threadIdx.x goes along "
          "the memory. Where the algorithm needs another order, load a tile row by row "
          "into shared memory and read it there.",
          "让相邻的线程读取相邻的元素：threadIdx.x "
          "沿着内存方向变化。如果算法需要别的顺序，先把分块逐行读入共享内存，再从那里读取。"},

         "global_load_sectors"},
    [WASTE_STORES] = {{"global_store", "dram", "l2_"},
                      OF_CACHES,
                      false,
                      store_cycles,
                      append_stores,
                      {"Let neighbouring threads write neighbouring elements: threadIdx.x goes "
                       "along the memory.",
                       "让相邻的线程写入相邻的元素：threadIdx.x 沿着内存方向变化。"},

                      "global_store_sectors"},
    [WASTE_CONFLICTS] =
        {{"shared_bank", "shared_load", "shared_store"},
         ON(shared) | ON(latency),
         false,
         conflict_cycles,
         append_conflicts,
         {"Lanes of a warp should read words in different banks (address / 4 mod "
          "32), or the same word: walk along rows, or make rows one element longer.",
          "线程束 (warp) 的各个通道 (lane) 应读取不同存储体（地址 / 4 mod "
          "32）中的字，或者同一个字：按行访问，或者让每行多一个元素。"},

         "shared_bank_conflicts"},
    [WASTE_GLOBAL_ATOMICS] =
        {{"global_atomic", "atomic_", NULL},
         ON(atomics) | ON(l2) | ON(latency),
         false,
         global_atomic_cycles,
         append_global_atomics,
         {"Add up within the warp (__shfl_down_sync) or the block (shared "
          "memory) first, so that one lane updates global memory for all.",
          "先在线程束 (warp) 内（__shfl_down_sync）或线程块内（共享内存）累加，再由一个通道 (lane) "
          "代表大家更新全局内存。"},

         "global_atomic_conflicts"},
    [WASTE_SHARED_ATOMICS] =
        {{"shared_atomic", "atomic_", NULL},
         ON(shared) | ON(atomics) | ON(latency),
         false,
         shared_atomic_cycles,
         append_shared_atomics,
         {"Spread the updates: several copies of the counters in a block, or a "
          "sum in the warp (__shfl_down_sync) first.",
          "把更新分散开：线程块中放几份计数器，或者先在线程束 (warp) 内求和（__shfl_down_sync）。"},

         "shared_atomic_conflicts"},
    [WASTE_LOCAL] =
        {{"local_", NULL, NULL},
         OF_CACHES | ON(issue),
         false,
         local_cycles,
         append_local,
         {"Registers are too few, or an array is indexed by what the compiler does not "
          "know: use fewer values at a time, or unroll the loop that indexes it.",
          "寄存器不够，或者数组的下标在编译时未知：同时使用更少的值，或者展开以它为下标的循环。"},

         "local_load_sectors"},
    [WASTE_CONSTANT] = {{"constant_", NULL, NULL},
                        ON(issue) | ON(latency),
                        false,
                        constant_cycles,
                        append_constant,
                        {"Constant memory serves one address of a warp at a time: data that each "
                         "lane reads elsewhere belongs in global or shared memory.",
                         "常量内存每次只能为线程束 (warp) 服务一个地址：各通道 (lane) "
                         "读取不同位置的数据应放在全局内存或共享内存里。"},

                        "constant_replays"},
    [WASTE_LANES] = {{"inactive", "diverg", "warp_efficiency"},
                     OF_UNITS,
                     false,
                     lane_cycles,
                     append_lanes,
                     {"Let whole warps take the same branch: conditions on threadIdx.x / 32 cost "
                      "nothing, those on threadIdx.x % 2 cost half of the lanes.",
                      "让整个线程束 (warp) 走同一个分支：以 threadIdx.x / 32 为条件没有代价，以 "
                      "threadIdx.x % 2 为条件则浪费一半的通道 (lane)。"},

                     "divergent_branches"},
    [WASTE_ALIGNMENT] =
        {{NULL},
         ON(l1) | ON(l2),
         true,
         alignment_cycles,
         append_alignment,
         {"Let the first element of each warp lie at a multiple of 32 bytes: make "
          "rows a multiple of 8 floats long (cudaMallocPitch), and count tiles from "
          "the array's beginning, not from an element of the border.",
          "让每个线程束 (warp) 的第一个元素位于 32 字节的倍数处：每行长度取 8 个 float "
          "的倍数（cudaMallocPitch），分块从数组开头数起，而不是从边缘的元素数起。"},

         "global_load_sectors"},
    [WASTE_CONTENTION] =
        {{NULL},
         ON(atomics),
         true,
         contention_cycles,
         append_contention,
         {"Fewer atomics: add up in the block first (shared memory, or one sum a "
          "warp and then one of the block), let each thread take several elements, "
          "and let one thread of the block update global memory.",
          "减少原子操作：先在线程块内累加（共享内存，或每个线程束 (warp) "
          "一个和，再合成线程块的和），让每个线程处理几个元素，由线程块的一个线程更新全局内存。"},

         "atomic_requests"},
    [WASTE_DOUBLE] =
        {{NULL},
         ON(fp64) | ON(special),
         true,
         double_cycles,
         append_double,
         {"A literal such as 0.5 is a double and makes doubles of the floats beside "
          "it: write 0.5f, and sqrtf, expf, fmaxf in place of sqrt, exp, fmax. Where "
          "the result needs doubles, do less work with them.",
          "0.5 这样的字面量是 double，会把旁边的 float 也变成 double：请写 0.5f，并用 "
          "sqrtf、expf、fmaxf 代替 sqrt、exp、fmax。如果结果确实需要 double，请减少相关的运算。"},

         "fp32_instructions"},
    [WASTE_DIVISION] = {{NULL},
                        ON(special),
                        true,
                        division_cycles,
                        append_division,
                        {"Divide less: a divisor that is a constant of the compiler costs a "
                         "multiplication, a power of two a shift (x >> k, x & (n - 1)); use "
                         "blockIdx.y and threadIdx.y for rows in place of i / width and i % width, "
                         "or count along instead of dividing in each round.",
                         "少做除法：除数是编译期常量时只需一次乘法，是 2 的幂时只需移位（x >> k, x "
                         "& (n - 1)）；行号用 blockIdx.y 和 threadIdx.y，而不是 i / width 和 i % "
                         "width，或者在循环中递推而不是每轮都除。"},

                        "fp32_instructions"},
    [WASTE_MATRIX] = {{NULL},
                      0,
                      true,
                      NULL,
                      append_matrix,
                      {"Tensor cores multiply tiles: a whole warp loads fragments and calls "
                       "mma_sync (nvcuda::wmma), with 16-bit elements and sums in float.",
                       "张量核心做分块的乘法：整个线程束 (warp) 读取片段并调用 "
                       "mma_sync（nvcuda::wmma），元素为 16 位，和为 float。"},

                      "fp32_instructions"},
    [WASTE_STARTS] = {{NULL},
                      0,
                      true,
                      NULL,
                      append_starts,
                      {"Give each block more to do: several elements a thread (a grid-stride loop "
                       "over a grid of a few blocks for each SM), or more threads a block.",
                       "让每个线程块做更多的事：每个线程处理几个元素（网格步长循环，每个 SM "
                       "只需几个线程块），或者增加每个线程块的线程数。"},

                      "time_ms"},
};

static bool is_about(const struct waste_row *row, const char *metric) {
    for (size_t i = 0; i < ARRAY_LENGTH(row->about); i++)
        if (row->about[i] && strstr(metric, row->about[i]))
            return true;
    return false;
}

/* The worst of the rows in `among`, if it is worse than `most`. */
static enum waste worst_of(const struct counters *counters, const bool among[WASTE_COUNT],
                           double most) {
    enum waste worst = WASTE_COUNT;
    for (unsigned i = 0; i < WASTE_COUNT; i++) {
        double cycles = among[i] && rows[i].cycles ? rows[i].cycles(counters) : 0;
        if (cycles > most) {
            most = cycles;
            worst = (enum waste)i;
        }
    }
    return worst;
}

enum waste advice_waste(const struct counters *counters, const char *metric) {
    bool any = true, among[WASTE_COUNT];
    for (unsigned i = 0; i < WASTE_COUNT && metric; i++)
        any &= !is_about(&rows[i], metric);
    for (unsigned i = 0; i < WASTE_COUNT; i++)
        among[i] = !rows[i].is_use && (any || is_about(&rows[i], metric));
    return worst_of(counters, among, SLIGHT * (double)counters->warp_instructions);
}

enum waste advice_limited_waste(const struct counters *counters, enum cost_part limiter) {
    bool among[WASTE_COUNT];
    for (unsigned i = 0; i < WASTE_COUNT; i++)
        among[i] = (rows[i].parts >> limiter & 1) != 0;
    return worst_of(counters, among, SLIGHT * (double)counters->warp_instructions);
}

void advice_append(enum waste waste, const struct counters *counters, enum language language,
                   struct text *out) {
    if (waste < WASTE_COUNT)
        rows[waste].append(counters, language, out);
}

const char *advice_fix(enum waste waste, enum language language) {
    return waste < WASTE_COUNT ? rows[waste].fix[language] : NULL;
}

bool advice_is_generic(const char *hint, enum language language) {
    for (unsigned i = 0; i < WASTE_COUNT; i++)
        if (strcmp(advice_fix((enum waste)i, language), hint) == 0)
            return true;
    return false;
}

const char *advice_page(enum waste waste) {
    return waste < WASTE_COUNT ? rows[waste].page : NULL;
}
