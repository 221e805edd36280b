/* Looks for words, in comments too: what is found wrongly costs time and nothing else, and what is
 * missed, because a macro or a system's header spells it, is an error of the compiler's. */
#include "sandbox/build/answer.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/source_text.h"

#include <ctype.h>
#include <string.h>

/* Parts of the names of [sf.cmath]; beta, an all too common name, stands below. */
static const char *const special[] = {"laguerre",     "legendre",    "ellint",
                                      "cyl_bessel",   "expint",      "hermite",
                                      "riemann_zeta", "cyl_neumann", "sph_"};

static bool is_word(int byte) {
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Of spaces alone: to skip comments after each of a text's words takes the square of its length. */
static const char *skip_spaces(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* A function's name: it is called, or taken out of its namespace. */
static bool names_beta(const char *text) {
    const char *at = text;
    while ((at = strstr(at, "beta"))) {
        const char *end = at + 4;
        bool is_start = at == text || !is_word(at[-1]);
        bool is_qualified = at > text && at[-1] == ':';
        end += is_start && (*end == 'f' || *end == 'l');
        if (is_start && !is_word(*end) && (is_qualified || *skip_spaces(end) == '('))
            return true;
        at += 4;
    }
    return false;
}

static bool names_special_function(const char *text) {
    for (size_t i = 0; i < ARRAY_LENGTH(special); i++)
        if (strstr(text, special[i]))
            return true;
    return names_beta(text);
}

/* "[=] __device__ (int i)", "[] HD (int i)": where a word follows the bracket it is an annotation,
 * or a macro for one; but for a deleted array and some attributes. */
static bool opens_lambda(const char *text, const char *bracket) {
    const char *next = source_skip_blank(bracket + 1);
    if (*next == '<') { /* []<typename T> */
        next = source_skip_blank(next + 1);
        return strncmp(next, "typename", 8) == 0 || strncmp(next, "class", 5) == 0;
    }
    static const char deleted[] = "delete[";
    const char *before = bracket - (sizeof deleted - 1);
    bool is_deleted = before >= text && memcmp(before, deleted, sizeof deleted - 1) == 0;
    return is_word(*next) && !is_deleted;
}

static bool has_device_lambda(const char *text) {
    for (const char *at = text; *at;) {
        const char *end = source_skip_no_code(at);
        if (end == at && *at == ']' && opens_lambda(text, at))
            return true;
        at = end > at ? end : at + 1;
    }
    return strstr(text, "EXTENDED_LAMBDA") || strstr(text, "__nv_is_extended");
}

static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

/* <cuda/atomic>, cuda::std::plus, the groups' functions that update an atomic, macros that say what
 * was included. */
static bool names_libcudacxx(const char *text) {
    static const char *const parts[] = {"namespace cuda", "reduce_update", "reduce_store",
                                        "scan_update",    "_CG_",          "CCCL_",
                                        "LIBCUDACXX"};
    for (const char *at = text; (at = strstr(at, "cuda")); at += 4) {
        const char *next = skip_spaces(at + 4);
        bool is_start = at == text || !is_word(at[-1]);
        if (is_start && (at[4] == '/' || (next[0] == ':' && next[1] == ':')))
            return true;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        if (strstr(text, parts[i]))
            return true;
    return false;
}

/* The groups' operators are libcu++'s where it is included, and else of the device alone: nvcc says
 * nothing where a template calls them on the host, and the program ends there. */
static bool names_operator(const char *text) {
    return has_word(text, "plus") || has_word(text, "bit_and") || has_word(text, "bit_or") ||
           has_word(text, "bit_xor");
}

static void add_needs(const struct build_job *job, const char *text, struct source_needs *needs,
                      bool *has_groups) {
    bool has_host = job->method != METHOD_NVRTC;
    needs->device_lambdas |= has_device_lambda(text);
    needs->special_functions |= names_special_function(text);
    needs->libcudacxx |= names_libcudacxx(text) || (has_host && names_operator(text));
    *has_groups |= strstr(text, "cooperative_groups") != NULL;
}

struct source_needs source_find_needs(const struct build_job *job) {
    struct source_needs needs = {0};
    bool has_groups = false;
    add_needs(job, job->source, &needs, &has_groups);
    for (size_t i = 0; i < job->header_count; i++)
        add_needs(job, job->header_texts[i], &needs, &has_groups);
    needs.libcudacxx |= !has_groups;
    return needs;
}

bool source_missed_needs(const char *log, struct source_needs *needs) {
    struct source_needs found = *needs;
    found.device_lambdas |= strstr(log, "extended-lambda") != NULL;
    found.special_functions |=
        names_special_function(log) || strstr(log, "\"beta") || strstr(log, "'beta");
    found.libcudacxx = true;
    bool is_more = found.device_lambdas > needs->device_lambdas ||
                   found.special_functions > needs->special_functions ||
                   found.libcudacxx > needs->libcudacxx;
    *needs = found;
    return is_more;
}
