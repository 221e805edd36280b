/* Members of a JSON object that a stranger wrote, read one by one with a check each.
 *
 * The first thing that is wrong is kept with its place in the document ("cases[3].verdict") and
 * everything after it is read as empty, so that a reader is a list of calls without a branch and
 * looks once at the end whether all went well. Private to reports/stored/. */
#ifndef WARPGRADE_REPORTS_STORED_MEMBER_H
#define WARPGRADE_REPORTS_STORED_MEMBER_H

#include "sandbox/base/error.h"
#include "sandbox/base/text.h"

#include <jansson.h>

struct member_reader {
    struct text path; /* of the object that is being read; "" at the top */
    struct error *error;
    bool failed;
};

/* Whether a member must be there, and not null. */
enum member_need { MEMBER_OPTIONAL, MEMBER_REQUIRED };

enum { MEMBER_TEXT_MAX = 4 << 20 }; /* bytes of a text */

/* Notes what is wrong with a member of the object; key "": with the object itself. */
__attribute__((format(printf, 3, 4))) void member_fail(struct member_reader *reader,
                                                       const char *key, const char *format, ...);

/* Goes down: what follows is read from that member or element. Gives what member_leave() takes. */
size_t member_enter(struct member_reader *reader, const char *key);
size_t member_enter_element(struct member_reader *reader, size_t index);
void member_leave(struct member_reader *reader, size_t mark);

/* NULL where there is none, it is null, or it is wrong. */
const json_t *member_object(struct member_reader *reader, const json_t *object, const char *key,
                            enum member_need need);
/* A list of at most `most`; *count is 0 where the result is NULL. */
const json_t *member_list(struct member_reader *reader, const json_t *object, const char *key,
                          enum member_need need, size_t most, size_t *count);
/* An element of a list, which must be an object; member_fail() where it is none. The reader stands
 * in it: member_enter_element(). */
const json_t *member_element(struct member_reader *reader, const json_t *list, size_t index);

/* A text without NUL characters; the caller frees it. NULL where there is none. */
char *member_text(struct member_reader *reader, const json_t *object, const char *key,
                  enum member_need need);
/* The same, which may hold NUL characters. */
char *member_bytes(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, size_t *length);
/* A text into a buffer; "" where there is none. U+FFFD stands for bytes that were no UTF-8 and is
 * longer than they were: what a buffer held may not fit any more and is cut at a character. */
void member_buffer(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, char *buffer, size_t size);

bool member_bool(struct member_reader *reader, const json_t *object, const char *key,
                 enum member_need need);
/* 0 where there is none. */
int64_t member_integer(struct member_reader *reader, const json_t *object, const char *key,
                       enum member_need need, int64_t low, int64_t high);
/* A whole number; above 2^63 - 1 a text of its digits. */
uint64_t member_unsigned(struct member_reader *reader, const json_t *object, const char *key,
                         enum member_need need);
size_t member_size(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need, size_t high);
/* A finite number. */
double member_number(struct member_reader *reader, const json_t *object, const char *key,
                     enum member_need need, double low, double high);
/* Any number: also "nan", "inf" and "-inf". */
double member_real(struct member_reader *reader, const json_t *object, const char *key,
                   enum member_need need);
/* One of the names; `count` where there is none. noun: "verdict". */
size_t member_choice(struct member_reader *reader, const json_t *object, const char *key,
                     enum member_need need, const char *const *names, size_t count,
                     const char *noun);

#endif
