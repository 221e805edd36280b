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
 * 5. Where a broken submission holds host functions, the same without the bodies of those:
 *    host_code.c. Where a right one does, a pass says whether device code calls them.
 * 6. Where variables have types that PTX forgets, a pass with -G tells their shapes: shapes.c.
 *
 * The passes with -G have processes of their own, because a submission may compile without -G and
 * not with it. */
#include "sandbox/build/compile.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/aside.h"
#include "sandbox/build/host_code.h"
#include "sandbox/build/session.h"
#include "sandbox/build/shapes.h"
#include "sandbox/build/source_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PASSES = 4 };

void session_clear_result(struct compile_result *result) {
    text_free(&result->log);
    text_free(&result->ptx);
    text_free(&result->cubin);
    *result = (struct compile_result){0};
}

static bool run_pass(struct session *session) {
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
    };
    session_clear_result(&session->result);
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
    diagnostics_drop_consequences(list);
    diagnostics_cap(list, BUILD_MAX_DIAGNOSTICS);
    free(session->answer->diagnostics);
    session->answer->diagnostics = list->items;
    session->answer->diagnostic_count = list->count;
    session->answer->diagnostic_capacity = list->capacity;
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

bool session_settle(struct session *session) {
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        if (!run_pass(session))
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
        if (!run_pass(session)) {
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
static void find_shapes(void *context, struct text *shapes) {
    const struct session *session = context;
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
    session_clear_result(&result);
}

/* Where names of elements need types. That they cannot be had costs the names, no more. */
static void append_shapes(struct session *session) {
    struct text *ptx = &session->answer->output;
    if (!session->job->no_shapes && shapes_are_wanted(session->job->source, text_string(ptx)))
        aside_run(find_shapes, session, ptx);
}

/* With -G the debug sections name the questions' variables too: compiled once more without them. */
static bool take_ptx(struct session *session) {
    struct build_answer *answer = session->answer;
    if (session->job->device_debug && !session->alone && session->probe.count) {
        struct probe none = {0}, kept = session->probe;
        session->probe = none;
        bool compiled = run_pass(session) && session->result.compiled;
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

void session_restart(struct session *session) {
    const struct build_job *job = session->job;
    probe_free(&session->probe);
    session->alone = false;
    session->answer->kernel_state = KERNEL_FOUND;
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

/* Without the functions for the host where only these are the trouble. */
static bool settle(struct session *session) {
    if (session_settle(session))
        return true;
    return session->answer->outcome == OUTCOME_ERRORS && !session->compiler->takes_host_code &&
           host_code_leave_out(session);
}

void compile_submission(const struct build_job *job, const struct compiler *compiler,
                        struct build_answer *answer) {
    struct session session = {
        .job = job, .compiler = compiler, .answer = answer, .whole_source = job->source};
    session_restart(&session);
    if (settle(&session)) {
        answer->outcome = OUTCOME_COMPILED;
        take_diagnostics(&session);
        read_constants(&session);
        probe_entries(text_string(&session.result.ptx), answer);
        bool complete = settle_kernel(&session);
        if (take_ptx(&session) && !complete && !job->no_signature && answer->kernel_count)
            ask_all_signatures(&session);
        if (answer->outcome == OUTCOME_COMPILED)
            host_code_check_calls(&session);
        if (answer->outcome == OUTCOME_COMPILED)
            kernel_call_check(&session);
    }
    session_clear_result(&session.result);
    free(session.diagnostics.items);
    probe_free(&session.probe);
    text_free(&session.source);
}
