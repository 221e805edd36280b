/* Sentences in the reader's language: the rows of messages.def.
 *
 * WORDS(language, id) is the format of one row, for printf and its kin. Both formats of a row are
 * visible to the compiler where it is used, so that it checks the arguments against both; a
 * language that needs another order numbers them (%2$s). */
#ifndef WARPGRADE_REPORTS_MESSAGE_H
#define WARPGRADE_REPORTS_MESSAGE_H

#include "sandbox/base/language.h"
#include "sandbox/base/verdict.h"

#include <inttypes.h>

#define MESSAGE(id, en, zh)                                                                        \
    static const char message_en_##id[] __attribute__((unused)) = en;                              \
    static const char message_zh_##id[] __attribute__((unused)) = zh;
#include "reports/messages.def"
#undef MESSAGE

#define WORDS(language, id) ((language) == LANGUAGE_ZH ? message_zh_##id : message_en_##id)

/* "wrong answer" */
const char *message_verdict(enum language language, enum verdict verdict);
/* A group of cases by its name; a name that is none of ours stands as it is. */
const char *message_group(enum language language, const char *name);
/* What keeps more warps from an SM; `name` is of occupancy_limit_names, and stands where it is
 * none. */
const char *message_occupancy_limit(enum language language, const char *name);
/* What to do about one case of a hazard; NULL: what its page says. */
const char *message_fix(enum language language, enum hazard_fix fix);
/* The words before the message of a case that ended with this hazard: "the kernel stopped itself:
 * ".
 */
const char *message_lead(enum language language, enum hazard_kind kind);

#endif
