/* A file of kernels often has host code beside them: a helper that launches, a main(). nvcc takes
 * each part for its side; NVRTC compiles for the device alone and refuses what it does not know
 * there. So the bodies of host functions that it refuses are left out: they would leave nothing in
 * the PTX. What then remains needs a host compiler (a global std::vector), and nvcc.
 *
 * The other way round, -default-device adopts a helper without __device__, which nvcc refuses to
 * call. Whether one is called is asked of the compiler itself: without -default-device, in what
 * passes for a header of the system (where alone NVRTC lets host functions stand, after a line
 * marker), it leaves such calls to the linker, and the PTX tells them. Static names become external
 * for that, because its back end has no static function without a body. As with nvcc, a constexpr
 * function counts where it is really called, and not where a constant is made of it. */
#include "sandbox/build/host_code.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/aside.h"
#include "sandbox/build/source_text.h"
#include "sandbox/build/unresolved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 3 };

/* ---- leaving out ----------------------------------------------------------------------------- */

/* Errors that only host code makes: the runtime's functions, launches, the standard library. */
static bool speaks_of_host(const struct build_diagnostic *diagnostic) {
    static const char *const signs[] = {
        "identifier \"cuda",
        "device-side kernel launch",
        "explicitly marked as a __host__ function",
        "name followed by \"::\" must be a class or namespace name",
        "namespace \"std\" has no",
        "a host function call cannot be configured",
        "dynamic initialization is not supported for a __device__ variable", /* a global object */
    };
    for (size_t i = 0; i < ARRAY_LENGTH(signs); i++)
        if (strstr(diagnostic->text, signs[i]))
            return true;
    return false;
}

/* A header of the host's, which nvcc would find. No header is named by an absolute path: that is a
 * file of this machine, and no compiler is to look for it there. */
static bool misses_header(const struct build_diagnostic *diagnostic) {
    static const char *const signs[] = {"cannot open source file", "could not open source file"};
    for (size_t i = 0; i < ARRAY_LENGTH(signs); i++) {
        const char *sign = strstr(diagnostic->text, signs[i]);
        if (diagnostic->severity == BUILD_ERROR && sign)
            return strncmp(sign + strlen(signs[i]), " \"/", 3) != 0;
    }
    return false;
}

static bool is_main(const struct session *session, const struct host_function *function) {
    return function->name_length == 4 &&
           memcmp(session->whole_source + function->name, "main", 4) == 0;
}

/* What of a function goes: nothing, its body, or all of it, where the error is in its head. */
enum cut { CUT_NOTHING, CUT_BODY, CUT_ALL };

/* Marks the functions in which the answer's errors are. False where that marks no more of them. */
static bool mark_functions(const struct session *session, const struct host_functions *functions,
                           enum cut *cuts) {
    const struct build_answer *answer = session->answer;
    bool marked = false;
    for (size_t i = 0; i < answer->diagnostic_count; i++) {
        const struct build_diagnostic *error = &answer->diagnostics[i];
        if (error->severity != BUILD_ERROR || strcmp(error->file, session->job->file_name) != 0)
            continue;
        for (size_t j = 0; j < functions->count; j++) {
            const struct host_function *function = &functions->items[j];
            if (error->line < function->first_line || error->line > function->last_line)
                continue;
            bool of_mark = strstr(error->text, "explicitly marked as a __host__ function");
            enum cut cut = cuts[j] == CUT_BODY || (error->line < function->body_line && !of_mark)
                               ? CUT_ALL
                               : CUT_BODY;
            marked |= cuts[j] < cut;
            cuts[j] = cuts[j] < cut ? cut : cuts[j];
        }
    }
    return marked;
}

/* Line feeds stay, so that all lines keep their numbers. */
static void append_blank(const char *from, const char *to, struct text *out) {
    for (; from < to; from++)
        text_append_char(out, *from == '\n' ? '\n' : ' ');
}

static void cut_functions(const char *source, const struct host_functions *functions,
                          const enum cut *cuts, struct text *out) {
    const char *from = source;
    for (size_t i = 0; i < functions->count; i++) {
        const struct host_function *function = &functions->items[i];
        const char *cut = source + (cuts[i] == CUT_ALL ? function->start : function->body);
        const char *end = source + function->end;
        if (cuts[i] == CUT_NOTHING)
            continue;
        if (cuts[i] == CUT_BODY && function->is_marked) {
            const char *mark = source + function->mark;
            text_append_bytes(out, from, (size_t)(mark - from));
            from = mark + sizeof "__host__" - 1;
        }
        text_append_bytes(out, from, (size_t)(cut - from));
        text_append(out, cuts[i] == CUT_BODY ? ";" : "");
        append_blank(cut, end, out);
        from = end;
    }
    text_append(out, from);
}

static void use_source(struct session *session, const struct build_job *job) {
    session->without_host = *job;
    session->without_host.source = text_string(&session->source);
    session->without_host.source_length = session->source.length;
    session->job = &session->without_host;
}

/* What is said where the rest does not compile either: the errors of the whole, unless the rest has
 * some that no host compiler would change. */
static void choose_errors(struct session *session, const struct host_functions *functions,
                          struct build_diagnostic *whole, size_t whole_count) {
    struct build_answer *answer = session->answer;
    bool host_errors = false, rest_has_host = false;
    for (size_t i = 0; i < whole_count; i++) {
        host_errors |= whole[i].severity == BUILD_ERROR && speaks_of_host(&whole[i]);
        if (misses_header(&whole[i]))
            answer->outcome = OUTCOME_HOST_CODE;
    }
    for (size_t i = 0; i < answer->diagnostic_count; i++)
        rest_has_host |= answer->diagnostics[i].severity == BUILD_ERROR &&
                         speaks_of_host(&answer->diagnostics[i]);
    if (session->source.length && !rest_has_host && answer->outcome != OUTCOME_HOST_CODE) {
        free(whole);
        return;
    }
    free(answer->diagnostics);
    answer->diagnostics = whole;
    answer->diagnostic_count = answer->diagnostic_capacity = whole_count;
    if (answer->outcome == OUTCOME_HOST_CODE)
        return;
    for (size_t i = 0; i < functions->count; i++) {
        const struct host_function *function = &functions->items[i];
        if (!(host_errors || rest_has_host) || (answer->host_line && !is_main(session, function)))
            continue;
        snprintf(answer->host_name, sizeof answer->host_name, "%.*s", (int)function->name_length,
                 session->whole_source + function->name);
        answer->host_line = function->first_line;
        answer->outcome = OUTCOME_HOST_CODE;
    }
}

bool host_code_leave_out(struct session *session) {
    const struct build_job *job = session->job;
    struct build_answer *answer = session->answer;
    struct host_functions functions;
    source_find_host_functions(job->source, &functions);
    cleanup_free enum cut *cuts = mem_calloc(functions.count + 1, sizeof *cuts);
    struct build_diagnostic *whole = NULL;
    size_t whole_count = 0;
    bool compiled = false;
    for (int round = 0; round < MAX_ROUNDS && !compiled; round++) {
        if (!mark_functions(session, &functions, cuts))
            break;
        text_clear(&session->source);
        cut_functions(job->source, &functions, cuts, &session->source);
        if (!whole) {
            whole = steal_pointer(&answer->diagnostics);
            whole_count = answer->diagnostic_count;
            answer->diagnostic_count = answer->diagnostic_capacity = 0;
        }
        use_source(session, job);
        session_restart(session);
        compiled = session_settle(session);
        if (!compiled && answer->outcome != OUTCOME_ERRORS)
            break; /* the tool failed */
    }
    if (!whole) {
        whole = mem_dup(answer->diagnostics, answer->diagnostic_count * sizeof *whole);
        whole_count = answer->diagnostic_count;
    }
    if (compiled) {
        free(whole);
    } else {
        session->job = job;
        if (answer->outcome == OUTCOME_ERRORS)
            choose_errors(session, &functions, whole, whole_count);
        else
            free(whole);
    }
    source_free_host_functions(&functions);
    return compiled;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The function for the host that the symbol names, or NULL: by the last part of its name. */
static const struct host_function *
find_function(const char *source, const struct host_functions *functions, const char *plain) {
    const char *last = plain;
    for (const char *at = plain; (at = strstr(at, "::")); last = at)
        at += 2;
    for (size_t i = 0; i < functions->count; i++) {
        const struct host_function *function = &functions->items[i];
        if (strlen(last) == function->name_length &&
            memcmp(last, source + function->name, function->name_length) == 0)
            return function;
    }
    return NULL;
}

static void add_error(struct session *session, const struct unresolved_symbol *symbol,
                      const char *message) {
    struct build_answer *answer = session->answer;
    struct build_diagnostic *error =
        mem_push(&answer->diagnostics, &answer->diagnostic_count, &answer->diagnostic_capacity);
    *error = (struct build_diagnostic){.severity = BUILD_ERROR, .line = symbol->line};
    snprintf(error->text, sizeof error->text, "%s", message);
    snprintf(error->file, sizeof error->file, "%s", symbol->file);
    if (!error->line)
        snprintf(error->file, sizeof error->file, "%s", "");
    answer->outcome = OUTCOME_ERRORS;
}

/* The words of nvcc. */
static void refuse_host_symbol(struct session *session, const struct unresolved_symbol *symbol,
                               const struct host_function *function) {
    cleanup_text struct text plain = {0}, user = {0}, message = {0};
    unresolved_append_plain(symbol->symbol, strlen(symbol->symbol), &plain);
    unresolved_append_plain(symbol->user, strlen(symbol->user), &user);
    if (!symbol->is_function)
        text_printf(&message, "identifier \"%s\" is undefined in device code", text_string(&plain));
    else
        text_printf(&message,
                    "calling a %s__host__ function(\"%s\") from a %s function(\"%s\") is not "
                    "allowed",
                    function && function->is_constexpr ? "constexpr " : "", text_string(&plain),
                    symbol->user_is_kernel ? "__global__" : "__device__", text_string(&user));
    add_error(session, symbol, text_string(&message));
}

static void refuse_missing_body(struct session *session, const struct unresolved_symbol *symbol) {
    cleanup_text struct text plain = {0}, message = {0};
    unresolved_append_plain(symbol->symbol, strlen(symbol->symbol), &plain);
    if (symbol->is_function)
        text_printf(&message,
                    "%s() is called and has no body: define it in this file (the linker: "
                    "unresolved extern function)",
                    text_string(&plain));
    else
        text_printf(&message,
                    "%s is used and only declared: define it in this file (the linker: unresolved "
                    "extern variable)",
                    text_string(&plain));
    add_error(session, symbol, text_string(&message));
}

struct host_source {
    const char *text;
    const struct host_functions *functions;
};

static bool is_static_member(const void *context, const char *plain) {
    const struct host_source *source = context;
    return source_is_static_member(source->text, source->functions, plain);
}

static void say_symbols(const struct unresolved_symbol *symbols, size_t count, struct text *out) {
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s %d %s %d %u %s\n", symbols[i].symbol, symbols[i].is_function,
                    symbols[i].user, symbols[i].user_is_kernel, symbols[i].line, symbols[i].file);
}

static bool is_inline(const void *context, const char *plain) {
    const struct host_source *source = context;
    return source_is_static_member(source->text, source->functions, plain) ||
           source_is_inline_variable(source->text, source->functions, plain);
}

/* Inline variables of the host, and those of templates, break the compiler's module without
 * -default-device. With it they are defined, and the PTX says who uses them. */
static void ask_inline_variables(const struct session *session, const struct build_job *job,
                                 struct compile_pass *pass, const struct host_source *host,
                                 struct text *out) {
    const struct compiler *compiler = session->compiler;
    struct unresolved_symbol used[UNRESOLVED_MAX];
    struct compile_result result = {0};
    char trouble[sizeof session->answer->trouble];
    pass->strict_host = false;
    if (compiler->run(compiler->context, job, pass, &result, trouble, sizeof trouble) &&
        result.compiled)
        say_symbols(used, unresolved_find_host(text_string(&result.ptx), used, is_inline, host),
                    out);
    session_clear_result(&result);
}

/* In the other process: one line a symbol that the PTX without -default-device lacks, or has of the
 * host's: NVRTC defines static data of classes in it. */
static void ask_symbols(void *context, struct text *out) {
    const struct session *session = context;
    const struct compiler *compiler = session->compiler;
    cleanup_text struct text source = {0}, program = {0};
    struct host_functions functions;
    source_find_host_functions(session->job->source, &functions);
    text_printf(&source, "# 1 \"%s\" 3\n", session->job->file_name);
    source_apply_edits(session->job->source, functions.edits, functions.edit_count, &source);
    text_printf(&program, "#include \"%s\"\n", session->job->file_name);
    struct build_job job = *session->job;
    job.device_debug = true; /* no call is inlined or left out, and it takes less time */
    job.source = text_string(&source);
    job.source_length = source.length;
    struct compile_pass pass = {.program = text_string(&program), .strict_host = true};
    if (session->kernel_wanted && compiler->has_name_expressions)
        pass.name_expression = job.kernel;
    struct compile_result result = {0};
    char trouble[sizeof session->answer->trouble];
    struct unresolved_symbol symbols[UNRESOLVED_MAX];
    const struct host_source host = {session->job->source, &functions};
    bool ran = compiler->run(compiler->context, &job, &pass, &result, trouble, sizeof trouble);
    if (ran && !result.compiled && (functions.class_count || functions.inline_count)) {
        ask_inline_variables(session, &job, &pass, &host, out);
    } else if (ran && result.compiled) {
        const char *ptx = text_string(&result.ptx);
        say_symbols(symbols, unresolved_find(ptx, symbols), out);
        say_symbols(symbols, unresolved_find_host(ptx, symbols, is_static_member, &host), out);
    }
    session_clear_result(&result);
    source_free_host_functions(&functions);
}

static void check_adopted(struct session *session, const struct host_functions *functions) {
    cleanup_text struct text lines = {0};
    if (!aside_run(ask_symbols, session, &lines))
        return;
    for (const char *at = text_string(&lines), *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        end += *end == '\n';
        struct unresolved_symbol symbol = {0};
        int is_function = 0, is_kernel = 0;
        if (sscanf(at, "%511s %d %511s %d %u %255[^\n]", symbol.symbol, &is_function, symbol.user,
                   &is_kernel, &symbol.line, symbol.file) < 5)
            continue;
        symbol.is_function = is_function;
        symbol.user_is_kernel = is_kernel;
        cleanup_text struct text plain = {0};
        unresolved_append_plain(symbol.symbol, strlen(symbol.symbol), &plain);
        refuse_host_symbol(session, &symbol,
                           find_function(session->whole_source, functions, text_string(&plain)));
    }
}

void host_code_check_calls(struct session *session) {
    struct build_answer *answer = session->answer;
    struct unresolved_symbol symbols[UNRESOLVED_MAX];
    struct host_functions functions;
    size_t count = unresolved_find(text_string(&answer->output), symbols);
    source_find_host_functions(session->whole_source, &functions);
    for (size_t i = 0; i < count; i++) {
        cleanup_text struct text plain = {0};
        unresolved_append_plain(symbols[i].symbol, strlen(symbols[i].symbol), &plain);
        const struct host_function *function =
            find_function(session->whole_source, &functions, text_string(&plain));
        if (function)
            refuse_host_symbol(session, &symbols[i], function);
        else
            refuse_missing_body(session, &symbols[i]);
    }
    /* The pass costs as much as the compilation, seconds with the headers of CUB. */
    if (!count && !session->compiler->takes_host_code &&
        (functions.has_variables || functions.class_count ||
         source_may_call(session->whole_source, &functions)))
        check_adopted(session, &functions);
    if (answer->outcome == OUTCOME_ERRORS)
        text_clear(&answer->output);
    source_free_host_functions(&functions);
}
