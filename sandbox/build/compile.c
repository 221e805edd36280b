/* What is compiled, in which order, and why.
 *
 * 1. The submission with all questions of probe.c after it. Almost always this compiles, and it is
 *    the only pass: PTX, constants and signature come out of it.
 * 2. Where only questions fail (a constant is not defined, the kernel is not there), the same
 *    without those. The line of each error says which question it was.
 * 3. Where the submission itself is broken, its errors are the answer. Errors after its end only
 *    (a brace or semicolon is missing in its last line) are of no use: the submission
 *    is compiled alone, which puts them in the right place.
 * 4. Where the kernel was not found, or none was asked for, the .entry names of the PTX say what is
 *    there, and one more pass asks for their signatures.
 * 5. Where a broken submission holds host functions, which NVRTC adopts as device functions
 *    (-default-device), a pass that refuses them says where they are.
 * 6. Where variables have types that PTX forgets, a pass with -G tells their shapes: shapes.c. It
 *    has a process of its own, because a submission may compile without -G and not with it. */
#include "sandbox/build/compile.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/shapes.h"
#include "sandbox/build/source_notes.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_PASSES = 4,
    SHAPES_CPU_SECONDS = 4, /* a pass takes some hundredths */
    SHAPES_MAX = 4 << 20,   /* bytes */
};

struct session {
    const struct build_job *job;
    const struct compiler *compiler;
    struct build_answer *answer;
    struct probe probe;
    bool kernel_wanted; /* the name expression of the kernel is part of the pass */
    bool alone;         /* the submission without includes and questions */
    struct diagnostic_list diagnostics;
    struct compile_result result;
};

static void result_clear(struct compile_result *result) {
    text_free(&result->log);
    text_free(&result->ptx);
    text_free(&result->cubin);
    *result = (struct compile_result){0};
}

static bool run_pass(struct session *session, bool strict_host) {
    const struct build_job *job = session->job;
    cleanup_text struct text program = {0};
    if (session->alone)
        text_append_bytes(&program, job->source, job->source_length);
    else
        probe_program(&session->probe, job->file_name, &program);
    struct compile_pass pass = {
        .program = text_string(&program),
        .name_expression =
            session->kernel_wanted && session->compiler->has_name_expressions ? job->kernel : NULL,
        .strict_host = strict_host,
    };
    result_clear(&session->result);
    free(session->diagnostics.items);
    session->diagnostics = (struct diagnostic_list){0};
    struct build_answer *answer = session->answer;
    if (!session->compiler->run(session->compiler->context, job, &pass, &session->result,
                                answer->trouble, sizeof answer->trouble)) {
        answer->outcome = OUTCOME_TOOL_FAILED;
        return false;
    }
    diagnostics_parse(text_string(&session->result.log), job->file_name, job->source,
                      &session->diagnostics);
    return true;
}

/* Does the diagnostic speak about our own text around the submission? */
static bool is_ours(const struct build_diagnostic *diagnostic) {
    return strcmp(diagnostic->file, PROBE_FILE) == 0 ||
           strcmp(diagnostic->file, "__nv_name_map") == 0 ||
           strcmp(diagnostic->file, "warpgrade-program.cu") == 0;
}

static bool has_own_errors(const struct session *session) {
    for (size_t i = 0; i < session->diagnostics.count; i++)
        if (session->diagnostics.items[i].severity == BUILD_ERROR &&
            !is_ours(&session->diagnostics.items[i]))
            return true;
    return false;
}

/* The compiler says the same of each byte of a wide character and of each use in a line; a reader
 * wants it once. `count` items of the list are kept so far. */
static bool is_repeated(const struct diagnostic_list *list, size_t count,
                        const struct build_diagnostic *diagnostic) {
    for (size_t i = 0; i < count; i++) {
        const struct build_diagnostic *kept = &list->items[i];
        if (kept->line == diagnostic->line && kept->severity == diagnostic->severity &&
            strcmp(kept->text, diagnostic->text) == 0 && strcmp(kept->file, diagnostic->file) == 0)
            return true;
    }
    return false;
}

/* Hands the diagnostics about the submission to the answer. A note goes with its error. */
static void take_diagnostics(struct session *session) {
    struct diagnostic_list *list = &session->diagnostics;
    size_t count = 0;
    bool dropping = false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].severity != BUILD_NOTE)
            dropping = is_ours(&list->items[i]) || is_repeated(list, count, &list->items[i]);
        if (!dropping && !is_ours(&list->items[i]))
            list->items[count++] = list->items[i];
    }
    list->count = count;
    diagnostics_cap(list, BUILD_MAX_DIAGNOSTICS);
    free(session->answer->diagnostics);
    session->answer->diagnostics = list->items;
    session->answer->diagnostic_count = list->count;
    *list = (struct diagnostic_list){0};
}

static void judge_kernel(struct build_answer *answer, const char *text) {
    if (strstr(text, "function template") || strstr(text, "is not a class template"))
        answer->kernel_state = KERNEL_TEMPLATE;
    else if (strstr(text, "overloaded function"))
        answer->kernel_state = KERNEL_OVERLOADED;
    else if (strstr(text, "non-__global__"))
        answer->kernel_state = KERNEL_NOT_GLOBAL;
}

/* The question about the kernel that the job asks for; NULL where it asks none. */
static struct probe_question *asked_kernel(struct session *session) {
    return session->job->kernel[0] && !session->job->no_signature
               ? &session->probe.questions[session->job->constant_count]
               : NULL;
}

static void lose_kernel(struct session *session, const char *text) {
    if (session->kernel_wanted)
        session->answer->kernel_state = KERNEL_MISSING;
    session->kernel_wanted = false;
    asked_kernel(session)->dropped = true;
    judge_kernel(session->answer, text);
}

/* Drops the questions that did not compile. False where none could be blamed. */
static bool drop_failed_questions(struct session *session) {
    bool dropped = false;
    for (size_t i = 0; i < session->diagnostics.count; i++) {
        const struct build_diagnostic *diagnostic = &session->diagnostics.items[i];
        if (diagnostic->severity != BUILD_ERROR || !is_ours(diagnostic))
            continue;
        bool in_epilogue = strcmp(diagnostic->file, PROBE_FILE) == 0;
        bool name_map = !in_epilogue && asked_kernel(session); /* of the name expression */
        struct probe_question *question =
            in_epilogue ? probe_at_line(&session->probe, diagnostic->line) : NULL;
        if (name_map || (question && question == asked_kernel(session)))
            lose_kernel(session, diagnostic->text);
        else if (question)
            question->dropped = true;
        dropped = dropped || name_map || question;
    }
    return dropped;
}

static bool find_name(const char *text, char *name, size_t size) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '~')
        length++;
    snprintf(name, size, "%.*s", (int)length, text);
    return length > 0;
}

/* The name that the compiler points at: the identifier at the column of the source's line. */
static void name_at(const char *source, unsigned line, unsigned column, char *name, size_t size) {
    for (unsigned i = 1; i < line && *source; i++) {
        source += strcspn(source, "\n");
        source += *source == '\n';
    }
    name[0] = '\0';
    if (column && column <= strcspn(source, "\n"))
        find_name(source + column - 1, name, size);
}

static bool is_host_function(const struct build_diagnostic *diagnostic) {
    return strstr(diagnostic->text, "is considered a host function") ||
           strstr(diagnostic->text, "explicitly marked as a __host__ function");
}

/* Errors that only host code makes: the runtime's functions, launches, the standard library. */
static bool speaks_of_host(const struct build_diagnostic *diagnostic) {
    static const char *const signs[] = {
        "identifier \"cuda",
        "device-side kernel launch",
        "explicitly marked as a __host__ function",
        "name followed by \"::\" must be a class or namespace name",
        "namespace \"std\" has no",
        "a host function call cannot be configured",
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

/* Is host code the reason why the submission does not compile? Called with its errors already in
 * the answer; a pass of its own finds the host functions. */
static void look_for_host_code(struct session *session) {
    struct build_answer *answer = session->answer;
    bool host_errors = false;
    for (size_t i = 0; i < answer->diagnostic_count; i++) {
        if (misses_header(&answer->diagnostics[i]))
            answer->outcome = OUTCOME_HOST_CODE;
        host_errors = host_errors || (answer->diagnostics[i].severity == BUILD_ERROR &&
                                      speaks_of_host(&answer->diagnostics[i]));
    }
    if (answer->outcome == OUTCOME_HOST_CODE)
        return;
    session->alone = true;
    session->kernel_wanted = false;
    if (!run_pass(session, true))
        return;
    for (size_t i = 0; i < session->diagnostics.count; i++) {
        const struct build_diagnostic *diagnostic = &session->diagnostics.items[i];
        char name[sizeof answer->host_name];
        if (!is_host_function(diagnostic) || strcmp(diagnostic->file, session->job->file_name) != 0)
            continue;
        name_at(session->job->source, diagnostic->line, diagnostic->column, name, sizeof name);
        bool is_main = strcmp(name, "main") == 0;
        if (!is_main && !host_errors)
            continue;
        if (answer->host_line == 0 || is_main) {
            snprintf(answer->host_name, sizeof answer->host_name, "%s", name);
            answer->host_line = diagnostic->line;
        }
        answer->outcome = OUTCOME_HOST_CODE;
    }
}

/* Compiles until the submission and the remaining questions do, or its own errors are known. */
static bool compile_until_settled(struct session *session) {
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        if (!run_pass(session, false))
            return false;
        if (session->result.compiled)
            return true;
        if (has_own_errors(session) || session->alone)
            break;
        if (!drop_failed_questions(session)) {
            session->alone = true;
            session->kernel_wanted = false;
        }
    }
    session->answer->outcome = OUTCOME_ERRORS;
    take_diagnostics(session);
    return false;
}

static void read_constants(struct session *session) {
    for (size_t i = 0; i < session->probe.count && !session->alone; i++) {
        const struct probe_question *question = &session->probe.questions[i];
        if (!question->is_kernel && !question->dropped)
            session->answer->constants[question->index].known =
                probe_constant(text_string(&session->result.ptx), i,
                               &session->answer->constants[question->index].value);
    }
}

static void read_signatures(struct session *session) {
    for (size_t i = 0; i < session->probe.count; i++) {
        const struct probe_question *question = &session->probe.questions[i];
        if (question->is_kernel && !question->dropped &&
            question->index < session->answer->kernel_count)
            probe_signature(text_string(&session->result.ptx), i,
                            &session->answer->kernels[question->index]);
    }
}

static bool ends_with_component(const char *qualified, const char *name) {
    size_t length = strlen(qualified), wanted = strlen(name);
    return length > wanted + 2 && strcmp(qualified + length - wanted, name) == 0 &&
           qualified[length - wanted - 1] == ':';
}

/* Which .entry is the kernel asked for: by its lowered name, else by its plain one, else by the
 * last part of a qualified one where that is unambiguous. */
static bool find_kernel(struct session *session, const char *lowered) {
    struct build_answer *answer = session->answer;
    const char *kernel = session->job->kernel;
    size_t matches = 0;
    for (size_t i = 0; i < answer->kernel_count; i++) {
        bool same = *lowered ? strcmp(answer->kernels[i].lowered, lowered) == 0
                             : strcmp(answer->kernels[i].lowered, kernel) == 0 ||
                                   strcmp(answer->kernels[i].name, kernel) == 0;
        if (same && matches++ == 0)
            answer->kernel_index = i;
    }
    for (size_t i = 0; i < answer->kernel_count && matches == 0 && !*lowered; i++)
        if (ends_with_component(answer->kernels[i].name, kernel)) {
            answer->kernel_index = i;
            matches++;
            for (size_t j = i + 1; j < answer->kernel_count; j++)
                matches += ends_with_component(answer->kernels[j].name, kernel);
        }
    if (matches > 1)
        answer->kernel_state = KERNEL_OVERLOADED;
    return matches == 1;
}

/* One more pass asks for the signatures of all kernels; where it fails, widths must do. */
static void ask_all_signatures(struct session *session) {
    struct build_answer *answer = session->answer;
    for (size_t i = 0; i < session->probe.count; i++)
        session->probe.questions[i].dropped = true; /* what is known is known */
    for (size_t i = 0; i < answer->kernel_count; i++)
        probe_add(&session->probe, true, i, answer->kernels[i].name);
    session->kernel_wanted = session->alone = false;
    for (int pass = 0; pass < 2; pass++) {
        if (!run_pass(session, false)) {
            answer->outcome = OUTCOME_COMPILED; /* the tool's failure costs the types, no more */
            return;
        }
        if (session->result.compiled) {
            read_signatures(session);
            return;
        }
        drop_failed_questions(session);
    }
}

/* The submission compiled once more, for nothing but the shapes of its variables. */
static void find_shapes(struct session *session, struct text *shapes) {
    const struct compiler *compiler = session->compiler;
    const struct build_answer *answer = session->answer;
    cleanup_text struct text program = {0}, source = {0};
    shapes_program(session->job->file_name, session->job->source, &program, &source);
    struct build_job job = *session->job;
    job.device_debug = true;
    job.source = text_string(&source);
    job.source_length = source.length;
    struct compile_pass pass = {.program = text_string(&program)};
    if (session->kernel_wanted && compiler->has_name_expressions)
        pass.name_expression = job.kernel;
    struct compile_result result = {0};
    char trouble[sizeof answer->trouble];
    if (compiler->run(compiler->context, &job, &pass, &result, trouble, sizeof trouble) &&
        result.compiled)
        shapes_append(text_string(&result.ptx), text_string(&answer->output), shapes);
    result_clear(&result);
}

/* The other process: writes the shapes and ends. Time on the CPU bounds it, and not on the clock,
 * so that a busy machine names elements as an idle one does. */
_Noreturn static void tell_shapes(struct session *session, pid_t parent, int to) {
    struct rlimit limit;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || getrlimit(RLIMIT_CPU, &limit) != 0)
        _exit(1);
    if (limit.rlim_cur > SHAPES_CPU_SECONDS)
        limit.rlim_cur = SHAPES_CPU_SECONDS;
    struct text shapes = {0};
    if (setrlimit(RLIMIT_CPU, &limit) != 0)
        _exit(1);
    find_shapes(session, &shapes);
    _exit(file_write_all(to, shapes.data, shapes.length) ? 0 : 1);
}

/* Until the other side ends. False where it says more than is needed. */
static bool read_shapes(int from, struct text *shapes) {
    char buffer[1 << 14];
    for (;;) {
        ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        if (shapes->length + (size_t)count > SHAPES_MAX)
            return false;
        text_append_bytes(shapes, buffer, (size_t)count);
    }
}

/* Where names of elements need types, the submission is compiled with -G as well. That this fails,
 * takes too much memory or time, or ends the compiler costs the names, no more. */
static void append_shapes(struct session *session) {
    struct build_answer *answer = session->answer;
    int ends[2];
    if (!shapes_are_wanted(session->job->source, text_string(&answer->output)) ||
        pipe2(ends, O_CLOEXEC) != 0)
        return;
    cleanup_fd int from = ends[0];
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        tell_shapes(session, parent, ends[1]);
    close(ends[1]);
    if (child < 0)
        return;
    cleanup_text struct text shapes = {0};
    bool whole = read_shapes(from, &shapes);
    int status = 0;
    if (!whole)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (whole && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        text_append(&answer->output, text_string(&shapes));
}

/* With -G the debug sections name the questions' variables too: compiled once more without them. */
static bool take_ptx(struct session *session) {
    struct build_answer *answer = session->answer;
    if (session->job->device_debug && !session->alone && session->probe.count) {
        struct probe none = {0}, kept = session->probe;
        session->probe = none;
        bool compiled = run_pass(session, false) && session->result.compiled;
        session->probe = kept;
        if (!compiled) {
            answer->outcome = OUTCOME_TOOL_FAILED;
            snprintf(answer->trouble, sizeof answer->trouble,
                     "the compiler does not repeat its own result");
            return false;
        }
    }
    text_append_bytes(&answer->output, session->result.ptx.data, session->result.ptx.length);
    probe_strip(&answer->output);
    text_append_bytes(&answer->cubin, session->result.cubin.data, session->result.cubin.length);
    source_notes_constant_stores(answer->diagnostics, answer->diagnostic_count,
                                 session->job->file_name, &answer->output);
    source_notes_returns(session->job->source, &answer->output);
    append_shapes(session); /* which come last: shape_find() reads from the end */
    return true;
}

static void ask_everything(struct session *session) {
    const struct build_job *job = session->job;
    for (size_t i = 0; i < job->constant_count; i++)
        probe_add(&session->probe, false, i, job->constants[i]);
    session->kernel_wanted = job->kernel[0] != '\0';
    if (session->kernel_wanted && !job->no_signature)
        probe_add(&session->probe, true, 0, job->kernel);
    session->answer->constant_count = job->constant_count;
}

/* Finds the requested kernel among the entries. True where its signature is known with it. */
static bool settle_kernel(struct session *session) {
    struct build_answer *answer = session->answer;
    const struct probe_question *asked = asked_kernel(session);
    if (!session->job->kernel[0])
        return false;
    bool found = find_kernel(session, session->result.lowered);
    if (!found && answer->kernel_state == KERNEL_FOUND)
        answer->kernel_state = KERNEL_MISSING;
    else if (found && answer->kernel_state == KERNEL_MISSING)
        answer->kernel_state = KERNEL_FOUND; /* by the last part of a qualified name */
    if (answer->kernel_state != KERNEL_FOUND || !asked || asked->dropped)
        return false;
    struct build_kernel *kernel = &answer->kernels[answer->kernel_index];
    if (strchr(session->job->kernel, '<')) /* a template's arguments are not in a plain name */
        snprintf(kernel->name, sizeof kernel->name, "%.255s", session->job->kernel);
    return probe_signature(text_string(&session->result.ptx), session->job->constant_count, kernel);
}

void compile_submission(const struct build_job *job, const struct compiler *compiler,
                        struct build_answer *answer) {
    struct session session = {.job = job, .compiler = compiler, .answer = answer};
    ask_everything(&session);
    if (compile_until_settled(&session)) {
        answer->outcome = OUTCOME_COMPILED;
        take_diagnostics(&session);
        read_constants(&session);
        probe_entries(text_string(&session.result.ptx), answer);
        bool complete = settle_kernel(&session);
        if (take_ptx(&session) && !complete && !job->no_signature && answer->kernel_count)
            ask_all_signatures(&session);
    } else if (answer->outcome == OUTCOME_ERRORS && !compiler->takes_host_code) {
        look_for_host_code(&session);
    }
    result_clear(&session.result);
    free(session.diagnostics.items);
    probe_free(&session.probe);
}
