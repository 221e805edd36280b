// Our own kernels on the card: what a buffer with a rule holds, made and compared.
//
// The values are those of simgpu/state/lazy_buffer.c bit for bit, so every rounding is written out: a compiler that
// contracts a multiplication and an addition would change the last bit. FILL_* are the numbers of enum
// engine_fill_kind, defined on the compiler's command line. `drawn` is the width in bytes of the float type
// that numbers are rounded to first, 0: none.

typedef unsigned long long u64;

__device__ static u64 mix_word(u64 seed, u64 number) {
    u64 value = seed + number * 0x9e3779b97f4a7c15ull;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

struct rule {
    int kind, bytes, is_float, drawn;
    u64 seed;
    double low, high;
    u64 count;
};

__device__ static double unit_at(u64 seed, u64 index) {
    return __dmul_rn((double)(mix_word(seed, index + 1) >> 11), 0x1p-53);
}

// As simgpu/state/lazy_buffer.c says.
__device__ static double ascending_at(u64 seed, u64 index, u64 count) {
    u64 begin = 0, end = count, node = 1;
    double from = 0, to = 1;
    for (int i = 0; i < 8 && end - begin > 1; i++) {
        u64 middle = begin + (end - begin) / 2;
        double share = __dadd_rn(0.375, __dmul_rn(0.25, unit_at(~seed, node)));
        double cut = __dadd_rn(from, __dmul_rn(__dsub_rn(to, from), share));
        bool behind = index >= middle;
        begin = behind ? middle : begin;
        end = behind ? end : middle;
        from = behind ? cut : from;
        to = behind ? to : cut;
        node = 2 * node + (behind ? 1 : 0);
    }
    double step = __ddiv_rn(__dadd_rn((double)(index - begin), unit_at(seed, index)), (double)(end - begin));
    return fmin(__dadd_rn(from, __dmul_rn(__dsub_rn(to, from), step)), to);
}

__device__ static double sorted_at(const rule &rule, u64 index) {
    double range = __dsub_rn(rule.high, rule.low), part = ascending_at(rule.seed, index, rule.count);
    double up = rule.is_float ? __dmul_rn(part, range) : floor(__dmul_rn(part, __dadd_rn(range, 1.0)));
    return fmin(__dadd_rn(rule.low, up), rule.high);
}

__device__ static double offset_at(const rule &rule, u64 index) {
    if (index == 0 || index + 1 == rule.count)
        return index == 0 ? 0 : rule.high;
    double part = ascending_at(rule.seed, index - 1, rule.count - 2);
    return fmin(floor(__dmul_rn(part, __dadd_rn(rule.high, 1.0))), rule.high);
}

__device__ static double number_at(const rule &rule, u64 index) {
    double unit = unit_at(rule.seed, index);
    double range = __dsub_rn(rule.high, rule.low);
    switch (rule.kind) {
    case FILL_IOTA:
        return (double)index;
    case FILL_CONSTANT:
        return rule.low;
    case FILL_UNIFORM:
        return __dadd_rn(rule.low, __dmul_rn(range, unit));
    case FILL_INTEGERS:
        return __dadd_rn(rule.low, floor(__dmul_rn(__dadd_rn(floor(range), 1.0), unit)));
    case FILL_SORTED:
        return sorted_at(rule, index);
    case FILL_OFFSETS:
        return offset_at(rule, index);
    default:
        return 0;
    }
}

__device__ static unsigned short half_bits(double value) {
    unsigned short half;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(value));
    return half;
}

__device__ static double rounded(const rule &rule, double value) {
    if (rule.drawn == 4)
        return (double)__double2float_rn(value);
    if (rule.drawn != 2)
        return value;
    float widened;
    asm("cvt.f32.f16 %0, %1;" : "=f"(widened) : "h"(half_bits(value)));
    return (double)widened;
}

// Out of range: as element_from_double() has it, saturated to 64 bits, then cut.
__device__ static u64 integer_bits(double value) {
    if (value != value)
        return 0;
    if (value >= 18446744073709551616.0)
        return ~0ull;
    if (value >= 0)
        return __double2ull_rz(value);
    if (value <= -9223372036854775808.0)
        return 1ull << 63;
    return (u64)__double2ll_rz(value);
}

__device__ static u64 element_bits(const rule &rule, u64 index) {
    if (rule.kind == FILL_WORDS)
        return mix_word(rule.seed, index + 1);
    double value = rounded(rule, number_at(rule, index));
    if (!rule.is_float)
        return integer_bits(value);
    if (rule.bytes == 8)
        return (u64)__double_as_longlong(value);
    if (rule.bytes == 4)
        return __float_as_uint(__double2float_rn(value));
    return half_bits(value);
}

__device__ static u64 load(const unsigned char *at, int bytes, u64 index) {
    switch (bytes) {
    case 1:
        return at[index];
    case 2:
        return ((const unsigned short *)at)[index];
    case 4:
        return ((const unsigned *)at)[index];
    default:
        return ((const u64 *)at)[index];
    }
}

__device__ static void store(unsigned char *at, int bytes, u64 index, u64 bits) {
    switch (bytes) {
    case 1:
        at[index] = (unsigned char)bits;
        return;
    case 2:
        ((unsigned short *)at)[index] = (unsigned short)bits;
        return;
    case 4:
        ((unsigned *)at)[index] = (unsigned)bits;
        return;
    default:
        ((u64 *)at)[index] = bits;
    }
}

extern "C" __global__ void warpgrade_fill(unsigned char *to, u64 count, int kind, int bytes,
                                          int is_float, int drawn, u64 seed, double low, double high) {
    rule rule = {kind, bytes, is_float, drawn, seed, low, high, count};
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        store(to, bytes, i, element_bits(rule, i));
}

// found[0]: how many elements are not what the rule says; found[1]: the first of them, and ~0 before.
extern "C" __global__ void warpgrade_compare(const unsigned char *at, u64 count, int kind, int bytes,
                                             int is_float, int drawn, u64 seed, double low, double high,
                                             u64 *found) {
    rule rule = {kind, bytes, is_float, drawn, seed, low, high, count};
    u64 mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1, stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        if (load(at, bytes, i) != (element_bits(rule, i) & mask)) {
            atomicAdd(&found[0], 1ull);
            atomicMin(&found[1], i);
        }
}
