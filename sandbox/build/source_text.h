/* Reading C++ source as text, where a compiler's answer would come too late. Private to the room;
 * runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_SOURCE_TEXT_H
#define WARPGRADE_SANDBOX_BUILD_SOURCE_TEXT_H

#include "sandbox/base/text.h"

#include <stdbool.h>

/* The end of what is no code at `at`: a comment, a string, a character; else `at`. */
const char *source_skip_no_code(const char *at);
/* The first byte at `at` or after that is neither space nor comment. */
const char *source_skip_blank(const char *at);

/* A function with a body that carries neither __device__ nor __global__: nvcc compiles it for the
 * host. Offsets into the source. */
struct host_function {
    size_t start; /* of the declaration */
    size_t name, name_length;
    size_t body, end; /* from its '{' to after its '}' */
    size_t mark;      /* of a __host__ in front of it, where is_marked */
    unsigned first_line, body_line, last_line;
    bool is_marked, is_constexpr, is_member;
};
/* A change of the text: `erased` bytes at an offset give way to a text. */
struct source_edit {
    size_t at, erased;
    const char *text;
};
struct source_word {
    size_t at, length;
};
struct host_functions {
    struct host_function *items;
    size_t count, capacity;
    /* what makes the names of functions and variables of the host external ones, in order */
    struct source_edit *edits;
    size_t edit_count, edit_capacity;
    /* Of namespaces and not the device's: variables, and arrays, also of constants. */
    bool has_variables;
    /* Names of classes with static data, which is the host's: no member can be __device__. */
    struct source_word *classes;
    size_t class_count, class_capacity;
    struct source_word *inlines; /* inline variables of namespaces that are the host's */
    size_t inline_count, inline_capacity;
};

/* Those at namespace and class scope; *list is zeroed. Macros are not expanded: a function whose
 * __device__ comes out of one is in the list, too. */
void source_find_host_functions(const char *source, struct host_functions *list);
void source_free_host_functions(struct host_functions *list);
/* Is "n::A::t" static data of one of those classes? */
bool source_is_static_member(const char *source, const struct host_functions *list,
                             const char *plain);
/* Is "n::t" one of those inline variables, by its last part? */
bool source_is_inline_variable(const char *source, const struct host_functions *list,
                               const char *plain);
/* Could anything but these functions call one of them? False only where their names stand nowhere
 * else, and none is one that calls need not spell: of a member, an operator, a range's begin(). */
bool source_may_call(const char *source, const struct host_functions *list);
/* Appends the source with the edits; they are in order and do not overlap. */
void source_apply_edits(const char *source, const struct source_edit *edits, size_t count,
                        struct text *out);

/* What of nvcc's and of the C++ library's a source makes use of (needs.c): each costs a compilation
 * as much again where it is not used. */
struct source_needs {
    bool device_lambdas; /* --extended-lambda: <functional> in each compilation */
    bool
        special_functions; /* the rest of <cmath> from C++17 on: std::beta(), std::legendre() ... */
    bool libcudacxx;       /* what cooperative_groups.h includes of it; true without that header */
};
struct build_job;
/* Of the source and its headers, read as text: one that is not needed may be called needed. */
struct source_needs source_find_needs(const struct build_job *job);
/* Adds what a compiler that did without complains of, and libcu++ whatever the error is: any name
 * may come out of its headers. False where that adds nothing. */
bool source_missed_needs(const char *log, struct source_needs *needs);

#endif
