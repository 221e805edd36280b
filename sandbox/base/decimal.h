/* Numbers as people read them: 16384, not 1.638e+04. */
#ifndef WARPGRADE_SANDBOX_BASE_DECIMAL_H
#define WARPGRADE_SANDBOX_BASE_DECIMAL_H

struct decimal {
    char text[40];
};

/* To `digits` significant digits (1 to 17), without trailing zeros. Below 1e15 no digit before the
 * point is left out: 16384.4 to four digits is "16384". A NaN and a zero have no sign. In the
 * arguments of a call the text lives as long as the call: text_printf(out, "%s ms", decimal(ms,
 * 4).text). */
struct decimal decimal(double value, int digits);
/* The same with commas between groups of three digits before the point, from 10,000 on: for counts.
 */
struct decimal decimal_grouped(double value, int digits);
/* Points of a score: to hundredths, and never rounded up: 59.996 must not read 60. */
struct decimal decimal_points(double points);

#endif
