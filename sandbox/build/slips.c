/* Looks a compiler's error up in the table slips.def. */
#include "sandbox/build/slips.h"

#include "sandbox/base/memory.h"

#include <string.h>

struct slip {
    const char *sign, *advice;
};

static const struct slip slips[] = {
#define SLIP(code, sign, advice)         {sign, advice},
#define SLIP_OUTSIDE(code, sign, advice) {sign, advice},
#include "sandbox/build/slips.def"
#undef SLIP
#undef SLIP_OUTSIDE
};

const char *slip_advice(const char *error) {
    for (size_t i = 0; i < ARRAY_LENGTH(slips); i++)
        if (strstr(error, slips[i].sign))
            return slips[i].advice;
    return NULL;
}
