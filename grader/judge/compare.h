/* Judging numbers: is what a kernel wrote what the exercise asks for?
 *
 * Let y be an element of the submission's output in its type T, r the reference's in double, and
 * R = r rounded to T. Integers are always compared exactly. For floats the exercise's rule decides:
 *
 * `exact`: y and R are the same value.
 *
 * `ulp: N`: at most N representable values lie on the way from R to y. (Bruce Dawson, "Comparing
 * Floating Point Numbers, 2012 Edition": the bits of IEEE numbers are ordered as integers.)
 *
 * `dot`: |y - r| <= c * k * (u(T) + u(double)) * m + c * k * e(T), where k is the number of terms,
 * m = sum|a_i b_i| from the reference, u(T) the unit roundoff (2^-24 for f32, 2^-11 for f16, 2^-53
 * for f64), e(T) half the smallest subnormal of T and c the exercise's `factor`, 1 unless it says
 * otherwise.
 *
 * Where `dot` comes from: an inner product of length k, evaluated in any order, with or without
 * fused multiply-adds, satisfies |fl(x.y) - x.y| <= gamma_k |x|.|y| with gamma_k = k u / (1 - k u)
 * (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1); Jeannerod
 * and Rump (SIAM J. Matrix Anal. Appl. 34(2), 2013) showed that k u itself is enough, for every k
 * and every order. So no correct kernel fails with c = 1, and there is nothing to tune; c > 1 is
 * for kernels whose terms are rounded once more (a scaling in front, say). u(double) is the share
 * of the reference's own rounding: it matters where T is f64. e(T) is what underflow of a product
 * may lose.
 *
 * Where the terms were drawn (`drawn`), |y - r| must also be within the probable bound
 *
 *            8 * c * u(T) * (sqrt(k) * |r| + 4 * m).
 *
 * k u m is what rounding errors can add up to, not what they do: each is as likely up as down, and
 * relative to the running sum, so that k of them make u * sqrt(sum s_j^2) (N. J. Higham and T.
 * Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41(5),
 * 2019; for terms around zero the bound does not grow with k: the same, "Sharper Probabilistic
 * Backward Error Analysis ... with Random Data", 42(5), 2020). Of terms in no particular order s_j
 * is about (j/k) r, give or take sqrt(k) terms: sqrt(k) |r| and, for what is given or taken and the
 * products' own rounding, 4 m. Largest |y - r| in u * (sqrt(k) |r| + 4 m) found in 20000 short to
 * 30 long sums of products of factors drawn from [-1, 1) and, in parentheses, from [0, 1):
 *
 *                               k = 256      2048         4096         16384       262144
 *   in sequence                 0.4 (0.8)    0.4 (0.8)    0.4 (0.7)    0.5 (0.6)     (0.7)
 *   by a tree, or Kahan's       0.1 (0.1)    0.1 (0.1)    0.1 (0.1)    0.1 (0.1)
 *   factors rounded to 11 bits  372 (80)     118 (10)     66 (5.1)     29 (1.2)
 *   factors cut off to 11 bits  468 (621)    157 (231)    104 (166)    52 (84)
 *
 * So 8 is far from what any order of summation loses, and half-precision or TF32 factors, which the
 * other bound lets pass from some thousand terms on, are found at the sizes where they would pay.
 * Beyond 2^18 terms, where terms of one sign begin to get lost against their sum, it does not
 * apply.
 *
 * `rel: p, abs: q`: |y - r| <= q + p * |r|. It follows from nothing but the author's judgement, so
 * it is for results whose error no count of roundings bounds: a function of the library, an
 * iteration, a sum that is divided by another.
 *
 * Special values: +0 equals -0. A NaN is right only where the reference has a NaN, an infinity only
 * where R is the infinity of the same sign; both are wrong everywhere else. */
#ifndef WARPGRADE_GRADER_JUDGE_COMPARE_H
#define WARPGRADE_GRADER_JUDGE_COMPARE_H

#include "grader/exercise/exercise.h"

struct compare_request {
    enum element_type type; /* T: of `actual` and `poison` */
    const void *actual;
    const void *expected;    /* floats: double r; integers: T */
    const double *magnitude; /* dot: m, else NULL */
    uint64_t count;
    const struct exercise_tolerance *tolerance;
    int64_t length;    /* dot: k */
    bool drawn;        /* dot: the terms are random and in no order */
    uint64_t poison;   /* bits that every element held before the launch ... */
    bool has_poison;   /* ... where it was poisoned (outputs, not inouts) */
    const void *again; /* what the same launch left over other poison: an element that holds both
                          was not written, and is wrong whatever is expected. NULL: not known, and
                          a wrong element that holds the first is taken for such a one */
    uint64_t other_poison;
};

struct compare_result {
    uint64_t differing; /* elements that are wrong; 0: the output is accepted */
    uint64_t unwritten; /* of these: elements that were never written */
    uint64_t first;     /* index of the first wrong element */
    double expected;    /* there: R as a double, */
    double actual;      /* y, */
    double allowed;     /* and the largest accepted |y - r| */
    bool first_unwritten;
    bool first_is_coarse; /* y is within the bound of any rounding, and only the probable one says
                             that it is wrong */
};

/* Of one element. */
bool compare_is_right(const struct compare_request *request, uint64_t index, bool *unwritten);
struct compare_result compare_elements(const struct compare_request *request);
/* The same, by several threads where there are millions of elements. */
struct compare_result compare_many(const struct compare_request *request);

#endif
