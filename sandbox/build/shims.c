/* The texts of shims.h, passed to NVRTC as in-memory headers, so that they win over files.
 *
 * A shim declares only what device code can use. Headers of pure host libraries are empty: a file
 * that includes <iostream> by habit compiles; one that really uses std::cout carries host code and
 * is treated as such. */
#include "sandbox/build/shims.h"

#include "sandbox/base/memory.h"

#include <string.h>

#define GUARD "#pragma once\n"

static const char empty[] = GUARD;

static const char stddef_text[] = GUARD "#ifndef NULL\n#define NULL 0\n#endif\n"
                                        "#ifndef offsetof\n"
                                        "#define offsetof(type, member) "
                                        "((size_t)&((type *)0)->member)\n#endif\n"
                                        "typedef decltype(nullptr) nullptr_t;\n"
                                        "typedef long ptrdiff_t; typedef long ssize_t;\n"
                                        "typedef struct { long long a; long double b; } "
                                        "max_align_t;\n";
static const char cstddef_text[] =
    GUARD "#include <stddef.h>\n"
          "namespace std { using ::size_t; using ::ptrdiff_t; using ::nullptr_t; }\n";

/* What <sys/types.h> has, and nvcc therefore without any include. */
static const char types_text[] =
    GUARD "using int8_t = signed char; using int16_t = short; using int32_t = int;\n"
          "using int64_t = long long; using u_int8_t = unsigned char;\n"
          "using u_int16_t = unsigned short; using u_int32_t = unsigned int;\n"
          "using u_int64_t = unsigned long; using uint = unsigned int;\n"
          "using ulong = unsigned long; using ushort = unsigned short; using time_t = long long;\n";

#define TYPE_NAMES(X)                                                                              \
    X(int8_t)                                                                                      \
    X(int16_t)                                                                                     \
    X(int32_t)                                                                                     \
    X(int64_t)                                                                                     \
    X(uint8_t)                                                                                     \
    X(uint16_t)                                                                                    \
    X(uint32_t)                                                                                    \
    X(uint64_t)                                                                                    \
    X(intptr_t)                                                                                    \
    X(uintptr_t)                                                                                   \
    X(intmax_t)                                                                                    \
    X(uintmax_t)
#define USING(name) "using ::" #name "; "

/* Types and macros as the toolkit's own cuda/std/cstdint and cuda/std/climits give them to NVRTC,
 * to the letter: a file may include both. */
static const char stdint_text[] = GUARD
    "#include <limits.h>\n#include <sys/types.h>\n"
    "using uint8_t = unsigned char;\n"
    "using uint16_t = unsigned short; using uint32_t = unsigned int;\n"
    "using uint64_t = unsigned long long;\n"
    "using int_fast8_t = int8_t; using int_fast16_t = int16_t;\n"
    "using int_fast32_t = int32_t; using int_fast64_t = int64_t;\n"
    "using uint_fast8_t = uint8_t; using uint_fast16_t = uint16_t;\n"
    "using uint_fast32_t = uint32_t; using uint_fast64_t = uint64_t;\n"
    "using int_least8_t = int8_t; using int_least16_t = int16_t;\n"
    "using int_least32_t = int32_t; using int_least64_t = int64_t;\n"
    "using uint_least8_t = uint8_t; using uint_least16_t = uint16_t;\n"
    "using uint_least32_t = uint32_t; using uint_least64_t = uint64_t;\n"
    "using intptr_t = int64_t; using uintptr_t = uint64_t;\n"
    "using intmax_t = int64_t; using uintmax_t = uint64_t;\n"
    "#define INT8_MIN SCHAR_MIN\n#define INT8_MAX SCHAR_MAX\n#define UINT8_MAX UCHAR_MAX\n"
    "#define INT16_MIN SHRT_MIN\n#define INT16_MAX SHRT_MAX\n#define UINT16_MAX USHRT_MAX\n"
    "#define INT32_MIN INT_MIN\n#define INT32_MAX INT_MAX\n#define UINT32_MAX UINT_MAX\n"
    "#define INT64_MIN LLONG_MIN\n#define INT64_MAX LLONG_MAX\n#define UINT64_MAX ULLONG_MAX\n"
    "#define INTPTR_MIN INT64_MIN\n#define INTPTR_MAX INT64_MAX\n"
    "#define INTMAX_MIN INT64_MIN\n#define INTMAX_MAX INT64_MAX\n"
    "#define PTRDIFF_MIN INT64_MIN\n#define PTRDIFF_MAX INT64_MAX\n"
    "#define UINTPTR_MAX UINT64_MAX\n#define UINTMAX_MAX UINT64_MAX\n#define SIZE_MAX UINT64_MAX\n"
    "#define INT8_C(X) ((::int_least8_t)(X))\n#define UINT8_C(X) ((::uint_least8_t)(X))\n"
    "#define INT16_C(X) ((::int_least16_t)(X))\n#define UINT16_C(X) ((::uint_least16_t)(X))\n"
    "#define INT32_C(X) ((::int_least32_t)(X))\n#define UINT32_C(X) ((::uint_least32_t)(X))\n"
    "#define INT64_C(X) ((::int_least64_t)(X))\n#define UINT64_C(X) ((::uint_least64_t)(X))\n";
static const char cstdint_text[] =
    GUARD "#include <stdint.h>\nnamespace std { " TYPE_NAMES(USING) "}\n";

static const char limits_text[] = GUARD
    "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
    "#ifndef CHAR_MIN\n#define CHAR_MIN SCHAR_MIN\n#define CHAR_MAX SCHAR_MAX\n#endif\n"
    "#define SHRT_MIN (-SHRT_MAX - 1)\n#define SHRT_MAX 0x7fff\n#define USHRT_MAX 0xffff\n"
    "#define INT_MIN (-INT_MAX - 1)\n#define INT_MAX 0x7fffffff\n#define UINT_MAX 0xffffffff\n"
    "#define LONG_MIN (-LONG_MAX - 1)\n#define LONG_MAX LLONG_MAX\n#define ULONG_MAX ULLONG_MAX\n"
    "#define LLONG_MIN (-LLONG_MAX - 1)\n#define LLONG_MAX 0x7fffffffffffffffLL\n"
    "#define ULLONG_MAX 0xffffffffffffffffUL\n";

static const char float_text[] =
    GUARD "#define FLT_RADIX 2\n#define FLT_MANT_DIG 24\n#define DBL_MANT_DIG 53\n"
          "#define FLT_DIG 6\n#define DBL_DIG 15\n"
          "#define FLT_MIN_EXP (-125)\n#define FLT_MAX_EXP 128\n"
          "#define DBL_MIN_EXP (-1021)\n#define DBL_MAX_EXP 1024\n"
          "#define FLT_MIN_10_EXP (-37)\n#define FLT_MAX_10_EXP 38\n"
          "#define DBL_MIN_10_EXP (-307)\n#define DBL_MAX_10_EXP 308\n"
          "#define FLT_EPSILON 1.19209289550781250000e-7F\n"
          "#define FLT_MIN 1.17549435082228750797e-38F\n"
          "#define FLT_MAX 3.40282346638528859812e+38F\n"
          "#define FLT_TRUE_MIN 1.40129846432481707092e-45F\n"
          "#define DBL_EPSILON 2.22044604925031308085e-16\n"
          "#define DBL_MIN 2.22507385850720138309e-308\n"
          "#define DBL_MAX 1.79769313486231570815e+308\n"
          "#define DBL_TRUE_MIN 4.94065645841246544177e-324\n";

#define POW(a, b)                                                                                  \
    "__device__ inline double pow(" a " x, " b " y) { return pow((double)x, (double)y); }\n"

/* INFINITY and NAN can initialise constants, as those of <math.h> can, where the compiler has a
 * constant bit cast. */
static const char math_text[] =
    GUARD "#if __CUDACC_VER_MAJOR__ >= 12\n"
          "#define __warpgrade_float(bits) __builtin_bit_cast(float, bits)\n"
          "#define __warpgrade_double(bits) __builtin_bit_cast(double, bits)\n"
          "#else\n"
          "#define __warpgrade_float(bits) __int_as_float(bits)\n"
          "#define __warpgrade_double(bits) __longlong_as_double(bits)\n"
          "#endif\n"
          "#ifndef INFINITY\n#define INFINITY __warpgrade_float(0x7f800000)\n#endif\n"
          "#ifndef NAN\n#define NAN __warpgrade_float(0x7fffffff)\n#endif\n"
          "#ifndef HUGE_VALF\n#define HUGE_VALF INFINITY\n#endif\n"
          "#ifndef HUGE_VAL\n#define HUGE_VAL __warpgrade_double(0x7ff0000000000000LL)\n#endif\n"
          "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n"
          "#define M_LOG10E 0.43429448190325182765\n#define M_LN2 0.69314718055994530942\n"
          "#define M_LN10 2.30258509299404568402\n#define M_PI 3.14159265358979323846\n"
          "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
          "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
          "#define M_2_SQRTPI 1.12837916709551257390\n#define M_SQRT2 1.41421356237309504880\n"
          "#define M_SQRT1_2 0.70710678118654752440\n"
          "typedef float float_t; typedef double double_t;\n"
          "#define FP_NAN 0\n#define FP_INFINITE 1\n#define FP_ZERO 2\n"
          "#define FP_SUBNORMAL 3\n#define FP_NORMAL 4\n"
    /* in double, as <cmath> has them of any two arithmetic types */
    POW("int", "int") POW("int", "float") POW("int", "double") POW("unsigned", "unsigned")
        POW("unsigned", "int") POW("int", "unsigned") POW("float", "double") POW("double", "float")
            POW("float", "unsigned") POW("double", "unsigned") POW("long", "int")
                POW("long long", "int");

static const char cmath_text[] =
    GUARD "#include <math.h>\nnamespace std {\n"
          "using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::exp; using ::exp2;\n"
          "using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;\n"
          "using ::pow; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos;\n"
          "using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh;\n"
          "using ::asinh; using ::acosh; using ::atanh; using ::floor; using ::ceil;\n"
          "using ::trunc; using ::round; using ::lround; using ::llround; using ::rint;\n"
          "using ::lrint; using ::llrint; using ::nearbyint; using ::fmod; using ::remainder;\n"
          "using ::fmin; using ::fmax; using ::fdim; using ::fma; using ::hypot; using ::erf;\n"
          "using ::erfc; using ::tgamma; using ::lgamma; using ::ldexp; using ::frexp;\n"
          "using ::modf; using ::logb; using ::ilogb; using ::scalbn; using ::nextafter;\n"
          "using ::copysign; using ::signbit; using ::isnan; using ::isinf; using ::isfinite;\n"
          "}\n";

/* assert() ends in the function that device code ends in, so that the trap names file and line. */
static const char assert_text[] =
    "#undef assert\n"
    "#ifdef NDEBUG\n"
    "#define assert(condition) ((void)0)\n"
    "#else\n"
    "extern \"C\" __device__ __attribute__((noreturn)) void __assertfail(const char *, "
    "const char *, unsigned int, const char *, size_t);\n"
    "#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __FILE__, "
    "__LINE__, __func__, sizeof(char)))\n"
    "#endif\n";

static const char stdio_text[] = GUARD "#include <stddef.h>\n#define EOF (-1)\n"
                                       "typedef struct { int __warpgrade_n; } FILE;\n";
static const char cstdio_text[] = GUARD "#include <stdio.h>\nnamespace std { using ::printf; }\n";
static const char stdlib_text[] = GUARD "#include <stddef.h>\n#include <sys/types.h>\n"
                                        "#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n"
                                        "#define RAND_MAX 2147483647\n"
                                        "typedef struct { int quot, rem; } div_t;\n"
                                        "typedef struct { long quot, rem; } ldiv_t;\n";
static const char cstdlib_text[] =
    GUARD "#include <stdlib.h>\nnamespace std { using ::abs; using ::malloc; using ::free; }\n";
static const char string_text[] = GUARD "#include <stddef.h>\n";
static const char cstring_text[] =
    GUARD "#include <string.h>\nnamespace std { using ::memcpy; using ::memset; }\n";
static const char stdbool_text[] = GUARD "#define __bool_true_false_are_defined 1\n";
static const char time_text[] = GUARD "#include <sys/types.h>\n#define CLOCKS_PER_SEC 1000000\n";
/* nvcc includes it by itself, and these with it. */
static const char cuda_runtime_text[] =
    GUARD "#include <limits.h>\n#include <cmath>\n#include <cstddef>\n#include <cstdlib>\n"
          "#include <string.h>\n#include <stdio.h>\n#include <time.h>\n";
static const char limits_header_text[] =
    GUARD "#include <cuda/std/limits>\nnamespace std { using ::cuda::std::numeric_limits; }\n";
static const char traits_text[] =
    GUARD "#include <cuda/std/type_traits>\nnamespace std { using namespace ::cuda::std; }\n";

/* SHIM(name, text): one row a header. */
#define SHIMS(SHIM)                                                                                \
    SHIM("assert.h", assert_text)                                                                  \
    SHIM("cassert", assert_text)                                                                   \
    SHIM("stdio.h", stdio_text)                                                                    \
    SHIM("cstdio", cstdio_text)                                                                    \
    SHIM("stdlib.h", stdlib_text)                                                                  \
    SHIM("cstdlib", cstdlib_text)                                                                  \
    SHIM("string.h", string_text)                                                                  \
    SHIM("cstring", cstring_text)                                                                  \
    SHIM("stddef.h", stddef_text)                                                                  \
    SHIM("cstddef", cstddef_text)                                                                  \
    SHIM("stdint.h", stdint_text)                                                                  \
    SHIM("cstdint", cstdint_text)                                                                  \
    SHIM("inttypes.h", stdint_text)                                                                \
    SHIM("cinttypes", cstdint_text)                                                                \
    SHIM("limits.h", limits_text)                                                                  \
    SHIM("climits", limits_text)                                                                   \
    SHIM("float.h", float_text)                                                                    \
    SHIM("cfloat", float_text)                                                                     \
    SHIM("math.h", math_text)                                                                      \
    SHIM("cmath", cmath_text)                                                                      \
    SHIM("sys/types.h", types_text)                                                                \
    SHIM("limits", limits_header_text)                                                             \
    SHIM("type_traits", traits_text)                                                               \
    SHIM("stdbool.h", stdbool_text)                                                                \
    SHIM("time.h", time_text)                                                                      \
    SHIM("ctime", time_text)                                                                       \
    SHIM("cuda_runtime.h", cuda_runtime_text)                                                      \
    SHIM("cuda_runtime_api.h", cuda_runtime_text)                                                  \
    SHIM("cuda.h", cuda_runtime_text)                                                              \
    SHIM("device_launch_parameters.h", empty)                                                      \
    SHIM("device_functions.h", empty)                                                              \
    SHIM("device_atomic_functions.h", empty)                                                       \
    SHIM("math_functions.h", empty)                                                                \
    SHIM("sm_20_atomic_functions.h", empty)                                                        \
    SHIM("sm_30_intrinsics.h", empty)                                                              \
    SHIM("helper_cuda.h", empty)                                                                   \
    SHIM("helper_functions.h", empty)                                                              \
    SHIM("algorithm", empty)                                                                       \
    SHIM("chrono", empty)                                                                          \
    SHIM("errno.h", empty)                                                                         \
    SHIM("fstream", empty)                                                                         \
    SHIM("iomanip", empty)                                                                         \
    SHIM("iostream", empty)                                                                        \
    SHIM("numeric", empty)                                                                         \
    SHIM("random", empty)                                                                          \
    SHIM("sstream", empty)                                                                         \
    SHIM("string", empty)                                                                          \
    SHIM("sys/time.h", empty)                                                                      \
    SHIM("unistd.h", empty)                                                                        \
    SHIM("vector", empty)

const char *const build_shim_names[] = {
#define SHIM(name, text) name,
    SHIMS(SHIM)
#undef SHIM
};
const char *const build_shim_texts[] = {
#define SHIM(name, text) text,
    SHIMS(SHIM)
#undef SHIM
};
const size_t build_shim_count = ARRAY_LENGTH(build_shim_names);

bool build_shim_exists(const char *name, size_t length) {
    for (size_t i = 0; i < build_shim_count; i++)
        if (strlen(build_shim_names[i]) == length && memcmp(build_shim_names[i], name, length) == 0)
            return true;
    return false;
}
