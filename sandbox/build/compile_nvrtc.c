/* The NVRTC compiler of compile.h: options, in-memory headers, one program a pass.
 *
 * A fifth of a small kernel's time goes into declarations of the CUDA runtime, of textures and of
 * surfaces. What names none of them is compiled without (--minimal, since CUDA 12.4), to the same
 * PTX; where that fails, for whatever reason, the whole compiler gives the answer. */
#include "sandbox/build/compile.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/nvrtc.h"
#include "sandbox/build/shims.h"
#include "sandbox/build/source_text.h"
#include "sandbox/worker/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NVRTC_OUT_OF_MEMORY = 1, NVRTC_COMPILATION = 6, FIXED_OPTIONS = 11 };

/* The options in the order in which NVRTC gets them; strings[0 .. count) are owned by `owned`. */
struct nvrtc_options {
    char *strings[FIXED_OPTIONS + BUILD_MAX_DEFINES];
    size_t count;
};

/* What is left out of most compilations; after an error nothing is. */
struct shortcuts {
    bool minimal, small_groups;
};

static void options_add(struct nvrtc_options *options, char *option) {
    options->strings[options->count++] = option;
}

static void options_make(struct nvrtc_options *options, const struct build_job *job,
                         bool strict_host, const struct shortcuts *shortcuts) {
    if (shortcuts->minimal)
        options_add(options, mem_strdup("--minimal"));
    options_add(options, mem_printf("--gpu-architecture=%s", job->architecture));
    options_add(options, mem_strdup("--std=c++17"));
    options_add(options, mem_strdup(job->device_debug ? "--device-debug" : "-lineinfo"));
    options_add(options, mem_strdup("--device-int128")); /* nvcc has __int128 on Linux by itself */
    if (!strict_host)
        options_add(options, mem_strdup("-default-device"));
    /* nvcc includes it by itself and with it much of the host's: INFINITY, int8_t, INT_MAX */
    options_add(options, mem_strdup("--pre-include=cuda_runtime.h"));
    if (job->include_directory[0])
        options_add(options, mem_printf("--include-path=%s", job->include_directory));
    if (job->include_directory[0]) /* <cuda/std/...> and <cub/...> */
        options_add(options, mem_printf("--include-path=%s/cccl", job->include_directory));
    /* What libcu++ has for nvcc; NVRTC's 16 makes type_list.h two thirds of its compilation. */
    options_add(options, mem_strdup("--define-macro=_CCCL_META_UNROLL_LIMIT=10"));
    if (shortcuts->small_groups)
        options_add(options, mem_strdup("--define-macro=" BUILD_SMALL_GROUPS));
    for (size_t i = 0; i < job->define_count; i++)
        options_add(options, mem_printf("--define-macro=%s", job->defines[i]));
}

static void options_free(struct nvrtc_options *options) {
    for (size_t i = 0; i < options->count; i++)
        free(options->strings[i]);
}

static const char cmath_name[] = "cuda/std/cmath";

/* The author's own header of a name wins over our stand-in for it. */
static bool has_header(const struct build_job *job, const char *name) {
    for (size_t i = 0; i < job->header_count; i++)
        if (strcmp(job->header_names[i], name) == 0)
            return true;
    return false;
}

/* libcu++'s <cuda/std/cmath> defines INFINITY and NAN whether or not they are, so ours give way to
 * its own. NULL where the toolkit has no such header. */
static char *cmath_shim(const struct build_job *job) {
    static const char *const folders[] = {"/cccl", ""};
    for (size_t i = 0; i < ARRAY_LENGTH(folders) && job->include_directory[0]; i++) {
        cleanup_free char *path =
            mem_printf("%s%s/%s", job->include_directory, folders[i], cmath_name);
        if (access(path, R_OK) == 0)
            return mem_printf("#pragma once\n#undef INFINITY\n#undef NAN\n#include \"%s\"\n", path);
    }
    return NULL;
}

static int create(const struct nvrtc *nvrtc, const struct build_job *job,
                  const struct compile_pass *pass, nvrtc_handle *program) {
    size_t count = 0;
    cleanup_free const char **texts =
        mem_calloc(build_shim_count + job->header_count + 2, sizeof *texts);
    cleanup_free const char **names =
        mem_calloc(build_shim_count + job->header_count + 2, sizeof *names);
    for (size_t i = 0; i < build_shim_count; i++)
        if (!has_header(job, build_shim_names[i])) {
            texts[count] = build_shim_texts[i];
            names[count++] = build_shim_names[i];
        }
    for (size_t i = 0; i < job->header_count; i++)
        if (strcmp(job->header_names[i], job->file_name) != 0) {
            texts[count] = job->header_texts[i];
            names[count++] = job->header_names[i];
        }
    cleanup_free char *cmath = has_header(job, cmath_name) ? NULL : cmath_shim(job);
    if (cmath) {
        texts[count] = cmath;
        names[count++] = cmath_name;
    }
    texts[count] = job->source;
    names[count++] = job->file_name;
    bool alone = strcmp(pass->program, job->source) == 0;
    return nvrtc->create(program, pass->program, alone ? job->file_name : "warpgrade-program.cu",
                         (int)count, texts, names);
}

/* Only a real architecture (sm_90) has one; of a virtual one its size is 0. */
static bool take_cubin(const struct nvrtc *nvrtc, nvrtc_handle program, struct text *cubin) {
    size_t size = 0;
    if (!nvrtc->cubin_size || !nvrtc->cubin || nvrtc->cubin_size(program, &size) != 0 || size == 0)
        return false;
    cleanup_free char *bytes = mem_zalloc(size);
    if (nvrtc->cubin(program, bytes) != 0)
        return false;
    text_append_bytes(cubin, bytes, size);
    return true;
}

static void take_results(const struct nvrtc *nvrtc, nvrtc_handle program,
                         const struct build_job *job, const struct compile_pass *pass,
                         struct compile_result *result) {
    size_t size = 0;
    if (nvrtc->log_size(program, &size) == 0 && size > 1) {
        cleanup_free char *log = mem_zalloc(size + 1);
        if (nvrtc->log(program, log) == 0)
            text_append(&result->log, log);
    }
    if (!result->compiled)
        return;
    size = 0;
    result->compiled = false;
    if (nvrtc->ptx_size(program, &size) == 0 && size > 1) {
        cleanup_free char *ptx = mem_zalloc(size + 1);
        result->compiled = nvrtc->ptx(program, ptx) == 0;
        text_append(&result->ptx, ptx);
    }
    if (build_is_real(job->architecture))
        result->compiled = result->compiled && take_cubin(nvrtc, program, &result->cubin);
    const char *lowered = NULL;
    if (pass->name_expression &&
        nvrtc->lowered_name(program, pass->name_expression, &lowered) == 0 && lowered)
        snprintf(result->lowered, sizeof result->lowered, "%s", lowered);
}

/* ---- what --minimal can compile ---------------------------------------------------------------
 */

/* What the headers declare and define that are left out below __CUDACC_RTC_MINIMAL__
 * (driver_types.h, library_types.h, texture_types.h ...) bears one of these in its name, in
 * capitals or not. An error would show that one is missed; #ifdef and a declaration of one's own
 * would not. */
static bool names_left_out(const char *text) {
    static const char *const parts[] = {"cuda", "cu_", "cuuuid", "tex", "surf", "<<<", "library",
                                        "_minimal", "types_h", "major_version", "minor_version",
                                        "patch_level",
                                        /* other ways to write an #include */
                                        "%:", "??", "include"};
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        if (strcasestr(text, parts[i]))
            return true;
    return false;
}

/* "<cuda_runtime.h>" at the end of an #include: one of our stand-ins that brings none of libcu++,
 * or a header of the exercise's, which is looked at itself. */
static bool includes_little(const struct build_job *job, const char *file, size_t length) {
    static const char *const wide[] = {"limits", "type_traits"};
    for (size_t i = 0; i < ARRAY_LENGTH(wide); i++)
        if (strlen(wide[i]) == length && memcmp(wide[i], file, length) == 0)
            return false;
    for (size_t i = 0; i < job->header_count; i++)
        if (strlen(job->header_names[i]) == length &&
            memcmp(job->header_names[i], file, length) == 0)
            return true;
    return build_shim_exists(file, length);
}

/* Appends the text without its includes; false where one of them is of another file. */
static bool take_out_includes(const struct build_job *job, const char *text, struct text *rest) {
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        const char *at = line + strspn(line, " \t");
        if (*at == '#' && strncmp(at + 1 + strspn(at + 1, " \t"), "include", 7) == 0) {
            at += strcspn(at, "<\"\n");
            size_t name = *at == '\n' || !*at ? 0 : strcspn(at + 1, ">\"\n");
            if (!name || !includes_little(job, at + 1, name))
                return false;
        } else {
            text_append_bytes(rest, line, length + (line[length] == '\n'));
        }
        line += length + (line[length] == '\n');
    }
    return true;
}

static bool fits_minimal(const struct build_job *job) {
    cleanup_text struct text all = {0};
    for (size_t i = 0; i < job->define_count; i++)
        text_printf(&all, "%s\n", job->defines[i]);
    for (size_t i = 0; i < job->header_count; i++)
        if (!take_out_includes(job, job->header_texts[i], &all))
            return false;
    text_append_char(&all, '\n');
    return strlen(job->source) == job->source_length && take_out_includes(job, job->source, &all) &&
           !names_left_out(text_string(&all));
}

/* ---- one pass ----------------------------------------------------------------------------------
 */

/* One job's compiler. */
struct nvrtc_session {
    struct nvrtc nvrtc;
    struct shortcuts shortcuts;
};

static int compile_once(const struct nvrtc *nvrtc, const struct build_job *job,
                        const struct compile_pass *pass, const struct shortcuts *shortcuts,
                        nvrtc_handle *program) {
    int code = create(nvrtc, job, pass, program);
    if (code == 0 && pass->name_expression)
        code = nvrtc->add_name(*program, pass->name_expression);
    if (code == 0) {
        struct nvrtc_options options = {0};
        options_make(&options, job, pass->strict_host, shortcuts);
        code = nvrtc->compile(*program, (int)options.count, (const char *const *)options.strings);
        options_free(&options);
    }
    return code;
}

static bool run(void *context, const struct build_job *job, const struct compile_pass *pass,
                struct compile_result *result, char *trouble, size_t trouble_size) {
    struct nvrtc_session *session = context;
    const struct nvrtc *nvrtc = &session->nvrtc;
    nvrtc_handle program = NULL;
    struct shortcuts *shortcuts = &session->shortcuts;
    int code = compile_once(nvrtc, job, pass, shortcuts, &program);
    bool is_short = shortcuts->minimal || shortcuts->small_groups;
    if (is_short && code != 0 && code != NVRTC_OUT_OF_MEMORY) {
        *shortcuts = (struct shortcuts){0};
        if (program)
            nvrtc->destroy(&program);
        program = NULL;
        code = compile_once(nvrtc, job, pass, shortcuts, &program);
    }
    result->compiled = code == 0;
    if (program)
        take_results(nvrtc, program, job, pass, result);
    /* The front end reports its own exhaustion as if it were an error of the source. */
    if (code == NVRTC_OUT_OF_MEMORY ||
        strstr(text_string(&result->log), "): catastrophic error: out of memory"))
        _exit(WORKER_EXIT_MEMORY);
    if (code != 0 && code != NVRTC_COMPILATION)
        snprintf(trouble, trouble_size, "%s: %s", nvrtc->error_string(code),
                 text_string(&result->log));
    if (program)
        nvrtc->destroy(&program);
    return code == 0 || code == NVRTC_COMPILATION;
}

void compile_with_nvrtc(const struct build_job *job, struct build_answer *answer) {
    struct nvrtc_session session = {
        .shortcuts = {.minimal = fits_minimal(job),
                      .small_groups = !source_find_needs(job).libcudacxx}};
    int major = 0, minor = 0;
    if (!nvrtc_load(&session.nvrtc, job->library, answer->trouble, sizeof answer->trouble)) {
        answer->outcome = OUTCOME_TOOL_FAILED;
        return;
    }
    session.nvrtc.version(&major, &minor);
    snprintf(answer->compiler, sizeof answer->compiler, "NVRTC %d.%d", major, minor);
    struct compiler compiler = {.run = run, .context = &session, .has_name_expressions = true};
    compile_submission(job, &compiler, answer);
}
