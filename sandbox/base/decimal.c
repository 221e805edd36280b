/* C's %g changes to an exponent as soon as a number has more digits than asked for, which is where
 * sizes and counts begin. Here an exponent is left to what is small or beyond 1e15. */
#include "sandbox/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct decimal decimal(double value, int digits) {
    struct decimal number;
    if (isnan(value)) {
        snprintf(number.text, sizeof number.text, "nan");
        return number;
    }
    if (value == 0)
        value = 0; /* the sign of nothing says nothing */
    snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    if (fabs(value) < 1e15 && strstr(number.text, "e+"))
        snprintf(number.text, sizeof number.text, "%.0f", value);
    return number;
}

struct decimal decimal_grouped(double value, int digits) {
    enum { GROUP = 3, LEAST = 5 };
    struct decimal plain = decimal(value, digits), grouped;
    const char *from = plain.text + (plain.text[0] == '-');
    size_t whole = strspn(from, "0123456789"), used = (size_t)(from - plain.text);
    if (whole < LEAST || from[whole] == 'e')
        return plain;
    memcpy(grouped.text, plain.text, used);
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % GROUP == 0)
            grouped.text[used++] = ',';
        grouped.text[used++] = from[i];
    }
    snprintf(grouped.text + used, sizeof grouped.text - used, "%.8s", from + whole);
    return grouped;
}

struct decimal decimal_points(double points) {
    double hundredths = floor(points * 100 + 1e-6);
    return decimal(hundredths / 100, 10);
}
