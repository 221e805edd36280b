/* The multiply-adds that round to nearest, alone in a file: where the compiler must reckon with
 * other rounding modes, it makes no vectors of fma(). Nothing here changes the mode or is folded.
 */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/float_format.h"

TERNARY(fma_f32, float, float, float, canonical_f32(__builtin_fmaf(a[lane], b[lane], c[lane])))
TERNARY(fma_f64, double, double, double, __builtin_fma(a[lane], b[lane], c[lane]))
