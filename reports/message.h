/* Sentences in the reader's language: the rows of messages.def.
 *
 * WORDS(language, id) is the format of one row, for printf and its kin. Both formats of a row are
 * visible to the compiler where it is used, so that it checks the arguments against both; a
 * language that needs another order numbers them (%2$s). */
#ifndef WARPGRADE_REPORTS_MESSAGE_H
#define WARPGRADE_REPORTS_MESSAGE_H

#include "sandbox/base/language.h"

#include <inttypes.h>

#define MESSAGE(id, en, zh)                                                                        \
    static const char message_en_##id[] __attribute__((unused)) = en;                              \
    static const char message_zh_##id[] __attribute__((unused)) = zh;
#include "reports/messages.def"
#undef MESSAGE

#define WORDS(language, id) ((language) == LANGUAGE_ZH ? message_zh_##id : message_en_##id)

#endif
