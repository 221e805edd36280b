/* nvcc's own arguments, changed where a program could not run on the simulated GPU otherwise:
 *
 * - the architectures become one, as PTX: compute_NN of the newest that is named, but not newer
 * than the card that is simulated by default. Machine code is of no use here, and takes long to
 * make. One that is too old for this nvcc becomes the oldest that it knows, and is noted;
 * - the CUDA runtime is the shared one, which ours stands in for, however it is asked for;
 * - link-time optimisation is left out, because there is no PTX in its objects;
 * - line numbers of device and host code are added, and PTX is not compressed.
 *
 * What makes neither an object nor a program (-ptx, -cubin, -E, --version ...) is left as it is. */
#include "grader/cli/run/nvcc_arguments.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEWEST = 90,       /* compute capability of the default device */
    USUAL = 80,        /* where none is named */
    OLDEST_OF_13 = 75, /* what CUDA 13 can compile for, and CUDA 12 */
    OLDEST_OF_12 = 50,
    FILE_MAX = 1 << 20,
    DEPTH_MAX = 8, /* files of options that name files of options */
};

struct rewriter {
    const struct nvcc_setting *setting;
    struct nvcc_arguments *out;
    char **words; /* as given, files of options expanded */
    size_t count, capacity;
    char architecture[16]; /* "80", "90a"; the best until now */
    bool names_architecture, names_many;
    bool has_debug, has_lines, has_source, has_object, links, links_device;
};

/* ---- words -------------------------------------------------------------------------------------
 */

static void push(char ***words, size_t *count, size_t *capacity, const char *word) {
    *mem_push(words, count, capacity) = mem_strdup(word);
}

static void put(struct rewriter *rewriter, const char *word) {
    push(&rewriter->out->words, &rewriter->out->count, &rewriter->out->capacity, word);
}

/* The value of "-x=VALUE", "--long=VALUE" or of the next word; NULL: this is another option. */
static const char *value_of(const struct rewriter *rewriter, size_t *at, const char *option) {
    const char *word = rewriter->words[*at];
    size_t length = strlen(option);
    if (strncmp(word, option, length) != 0)
        return NULL;
    if (word[length] == '=')
        return word + length + 1;
    if (word[length] || *at + 1 == rewriter->count)
        return NULL;
    return rewriter->words[++*at];
}

static const char *value_of_either(const struct rewriter *rewriter, size_t *at, const char *brief,
                                   const char *full) {
    const char *value = value_of(rewriter, at, brief);
    return value ? value : value_of(rewriter, at, full);
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* ---- files of options ---------------------------------------------------------------------------
 */

static void take_words(struct rewriter *rewriter, char *const *words, size_t depth);

/* Words as a shell has them: blanks between them, quotes, backslashes. */
static bool cut_word(const char **at, struct text *word) {
    const char *c = *at;
    char quote = 0;
    while (isspace((unsigned char)*c))
        c++;
    if (!*c)
        return false;
    text_clear(word);
    for (; *c && (quote || !isspace((unsigned char)*c)); c++) {
        if (*c == '\\' && c[1] && quote != '\'')
            text_append_char(word, *++c);
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
        else if (quote && *c == quote)
            quote = 0;
        else
            text_append_char(word, *c);
    }
    *at = c;
    return true;
}

static bool take_file(struct rewriter *rewriter, const char *path, size_t depth) {
    cleanup_free char *content = NULL;
    cleanup_text struct text word = {0};
    size_t length;
    if (depth == DEPTH_MAX || file_read(path, FILE_MAX, &content, &length, NULL) != STATUS_OK)
        return false;
    char **words = NULL;
    size_t count = 0, capacity = 0;
    for (const char *at = content; cut_word(&at, &word);)
        push(&words, &count, &capacity, text_string(&word));
    *mem_push(&words, &count, &capacity) = NULL;
    take_words(rewriter, words, depth + 1);
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
    return true;
}

/* --options-file takes a list with commas. A file that cannot be read is nvcc's to complain of. */
static void take_files(struct rewriter *rewriter, const char *list, size_t depth) {
    cleanup_free char *copy = mem_strdup(list);
    char *rest = NULL;
    for (char *path = strtok_r(copy, ",", &rest); path; path = strtok_r(NULL, ",", &rest))
        if (!take_file(rewriter, path, depth)) {
            push(&rewriter->words, &rewriter->count, &rewriter->capacity, "--options-file");
            push(&rewriter->words, &rewriter->count, &rewriter->capacity, path);
        }
}

static const char *after(const char *word, const char *beginning) {
    size_t length = strlen(beginning);
    return strncmp(word, beginning, length) == 0 ? word + length : NULL;
}

static void take_words(struct rewriter *rewriter, char *const *words, size_t depth) {
    for (; *words; words++) {
        const char *list = after(*words, "--options-file=");
        if (!list)
            list = after(*words, "-optf=");
        if (!list && words[1] &&
            (strcmp(*words, "--options-file") == 0 || strcmp(*words, "-optf") == 0))
            list = *++words;
        if (list)
            take_files(rewriter, list, depth);
        else
            push(&rewriter->words, &rewriter->count, &rewriter->capacity, *words);
    }
}

/* ---- architectures ------------------------------------------------------------------------------
 */

static unsigned number_of(const char *architecture) {
    return (unsigned)strtoul(architecture, NULL, 10);
}

static bool is_too_new(const char *architecture) {
    return number_of(architecture) > NEWEST;
}

/* Of "compute_80", "sm_90a", "arch=compute_70,code=[sm_70]": the first number, with its letter. */
static void take_architecture(struct rewriter *rewriter, const char *value) {
    rewriter->names_many |= rewriter->names_architecture;
    rewriter->names_architecture = true;
    const char *at = strstr(value, "compute_");
    const char *number = at ? at + strlen("compute_") : NULL;
    if (!number && (at = strstr(value, "sm_")))
        number = at + strlen("sm_");
    if (!number || !isdigit((unsigned char)*number))
        return; /* native, all, all-major */
    char found[sizeof rewriter->architecture] = "";
    for (size_t i = 0; i + 1 < sizeof found && isalnum((unsigned char)number[i]); i++)
        found[i] = number[i];
    const char *best = rewriter->architecture;
    bool better =
        !*best || (is_too_new(best) ? number_of(found) < number_of(best)
                                    : !is_too_new(found) && number_of(found) > number_of(best));
    if (better)
        memcpy(rewriter->architecture, found, sizeof found);
}

static void raise_architecture(struct rewriter *rewriter) {
    unsigned oldest =
        rewriter->setting->version && rewriter->setting->version < 13 ? OLDEST_OF_12 : OLDEST_OF_13;
    if (!*rewriter->architecture || number_of(rewriter->architecture) >= oldest)
        return;
    text_printf(&rewriter->out->note,
                "compute capability %u.%u is older than what this nvcc knows: compiled for %u.%u\n",
                number_of(rewriter->architecture) / 10, number_of(rewriter->architecture) % 10,
                oldest / 10, oldest % 10);
    snprintf(rewriter->architecture, sizeof rewriter->architecture, "%u", oldest);
}

/* ---- one word after the other -------------------------------------------------------------------
 */

/* What comes out is neither an object nor a program, or nvcc only says something. */
static const char *const leaving[] = {"-ptx",
                                      "--ptx",
                                      "-cubin",
                                      "--cubin",
                                      "-fatbin",
                                      "--fatbin",
                                      "-optix-ir",
                                      "--optix-ir",
                                      "-E",
                                      "--preprocess",
                                      "-cuda",
                                      "--cuda",
                                      "-V",
                                      "--version",
                                      "-h",
                                      "--help",
                                      "--list-gpu-code",
                                      "-code-ls",
                                      "--list-gpu-arch",
                                      "-arch-ls",
                                      "-M",
                                      "-MM",
                                      "--generate-dependencies",
                                      "--generate-nonsystem-dependencies",
                                      NULL};
static const char *const compiling[] = {"-c",  "--compile",  "-dc", "--device-c",
                                        "-dw", "--device-w", NULL};
/* Take the next word, whatever it looks like. */
static const char *const with_value[] = {"-l",
                                         "--library",
                                         "-o",
                                         "--output-file",
                                         "-I",
                                         "--include-path",
                                         "-D",
                                         "--define-macro",
                                         "-U",
                                         "--undefine-macro",
                                         "-L",
                                         "--library-path",
                                         "-include",
                                         "--pre-include",
                                         "-isystem",
                                         "--system-include",
                                         "-Xcompiler",
                                         "--compiler-options",
                                         "-Xlinker",
                                         "--linker-options",
                                         "-Xptxas",
                                         "--ptxas-options",
                                         "-Xnvlink",
                                         "--nvlink-options",
                                         "-Xarchive",
                                         "--archive-options",
                                         "-Xcudafe",
                                         "-Xcicc",
                                         "-Xfatbin",
                                         "-MF",
                                         "--dependency-output",
                                         "-MT",
                                         "--dependency-target-name",
                                         "-x",
                                         "--x",
                                         "-ccbin",
                                         "--compiler-bindir",
                                         "-std",
                                         "--std",
                                         "-t",
                                         "--threads",
                                         "-maxrregcount",
                                         "--maxrregcount",
                                         "-odir",
                                         "--output-directory",
                                         "-keep-dir",
                                         "--keep-dir",
                                         "-idp",
                                         "-ddp",
                                         NULL};

/* Options that are dropped, with what they take. */
static bool drops(struct rewriter *rewriter, size_t *at) {
    static const char *const alone[] = {
        "-dlto",        "--dlink-time-opt", "-lto",           "--no-compress",
        "-no-compress", "-compress-all",    "--compress-all", NULL};
    return is_one_of(rewriter->words[*at], alone) ||
           value_of_either(rewriter, at, "-cudart", "--cudart") ||
           value_of_either(rewriter, at, "-compress-mode", "--compress-mode");
}

static bool takes_architecture(struct rewriter *rewriter, size_t *at) {
    const char *value = value_of_either(rewriter, at, "-arch", "--gpu-architecture");
    if (!value)
        value = value_of_either(rewriter, at, "-gencode", "--generate-code");
    if (value) {
        take_architecture(rewriter, value);
        return true;
    }
    return value_of_either(rewriter, at, "-code", "--gpu-code") != NULL;
}

/* NVIDIA's own runtime, linked statically by name. */
static bool names_static_runtime(struct rewriter *rewriter, size_t *at) {
    const char *word = rewriter->words[*at];
    size_t next = *at;
    const char *library = value_of_either(rewriter, &next, "-l", "--library");
    bool named = strcmp(word, "-lcudart_static") == 0 ||
                 strcmp(file_base_name(word), "libcudart_static.a") == 0 ||
                 (library && strcmp(library, "cudart_static") == 0);
    if (named && library)
        *at = next;
    return named;
}

static void note_input(struct rewriter *rewriter, const char *word) {
    static const char *const sources[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".C", ".ptx", NULL};
    const char *dot = strrchr(file_base_name(word), '.');
    bool is_source = dot && is_one_of(dot, sources);
    if (*word == '-')
        return;
    rewriter->has_source |= is_source;
    rewriter->has_object |= !is_source;
}

static void take_word(struct rewriter *rewriter, size_t *at) {
    const char *word = rewriter->words[*at];
    if (drops(rewriter, at) || takes_architecture(rewriter, at))
        return;
    if (names_static_runtime(rewriter, at)) {
        put(rewriter, "-lcudart");
        return;
    }
    rewriter->has_debug |= strcmp(word, "-G") == 0 || strcmp(word, "--device-debug") == 0;
    rewriter->has_lines |=
        strcmp(word, "-lineinfo") == 0 || strcmp(word, "--generate-line-info") == 0;
    rewriter->links_device |= strcmp(word, "-dlink") == 0 || strcmp(word, "--device-link") == 0;
    put(rewriter, word);
    if (is_one_of(word, with_value) && *at + 1 < rewriter->count)
        put(rewriter, rewriter->words[++*at]);
    else
        note_input(rewriter, word);
}

/* A path with a comma would be two options of the linker's. */
static void put_runtime(struct rewriter *rewriter) {
    const char *runtime = rewriter->setting->runtime;
    put(rewriter, "-cudart");
    put(rewriter, "shared");
    if (!runtime)
        return;
    cleanup_free char *folder = mem_printf("-L%s", runtime);
    put(rewriter, folder);
    if (!rewriter->links || strchr(runtime, ','))
        return;
    put(rewriter, "-Xlinker");
    put(rewriter, "-rpath");
    put(rewriter, "-Xlinker");
    put(rewriter, runtime);
}

static void put_architecture(struct rewriter *rewriter) {
    raise_architecture(rewriter);
    bool links_only = rewriter->has_object && !rewriter->has_source;
    if (!*rewriter->architecture)
        snprintf(rewriter->architecture, sizeof rewriter->architecture, "%d",
                 links_only ? NEWEST : USUAL);
    /* A device link for a virtual architecture alone wants libcudadevrt, which its user may not. */
    cleanup_free char *word = mem_printf("-arch=%s_%s", rewriter->links_device ? "sm" : "compute",
                                         rewriter->architecture);
    put(rewriter, word);
}

static bool leaves_alone(const struct rewriter *rewriter) {
    for (size_t i = 0; i < rewriter->count; i++) {
        if (is_one_of(rewriter->words[i], leaving))
            return true;
        if (is_one_of(rewriter->words[i], with_value))
            i++;
    }
    return false;
}

static bool only_compiles(const struct rewriter *rewriter) {
    for (size_t i = 0; i < rewriter->count; i++)
        if (is_one_of(rewriter->words[i], compiling))
            return true;
    return false;
}

static void end_words(struct rewriter *rewriter) {
    struct nvcc_arguments *out = rewriter->out;
    *mem_push(&out->words, &out->count, &out->capacity) = NULL;
    out->count--;
    for (size_t i = 0; i < rewriter->count; i++)
        free(rewriter->words[i]);
    free(rewriter->words);
}

void nvcc_arguments_make(const struct nvcc_setting *setting, char *const *given,
                         struct nvcc_arguments *arguments) {
    struct rewriter rewriter = {.setting = setting, .out = arguments};
    *arguments = (struct nvcc_arguments){0};
    take_words(&rewriter, given, 0);
    put(&rewriter, "nvcc");
    rewriter.links = !only_compiles(&rewriter);
    if (leaves_alone(&rewriter)) {
        for (size_t i = 0; i < rewriter.count; i++)
            put(&rewriter, rewriter.words[i]);
    } else {
        arguments->builds = true;
        put_runtime(&rewriter);
        put(&rewriter, "--no-compress");
        put(&rewriter, "-Xcompiler");
        put(&rewriter, BUILD_HOST_LINES); /* the user's -g comes later */
        for (size_t i = 0; i < rewriter.count; i++)
            take_word(&rewriter, &i);
        put_architecture(&rewriter);
        if (!rewriter.has_debug && !rewriter.has_lines)
            put(&rewriter, "-lineinfo");
    }
    end_words(&rewriter);
}

/* ---- options before a program that is compiled and run ------------------------------------------
 */

/* Without their dashes, one or two. */
static const char *const alone_of_run[] = {"lineinfo",
                                           "generate-line-info",
                                           "w",
                                           "disable-warnings",
                                           "g",
                                           "debug",
                                           "G",
                                           "device-debug",
                                           "use_fast_math",
                                           "extended-lambda",
                                           "expt-extended-lambda",
                                           "expt-relaxed-constexpr",
                                           "dlto",
                                           "m64",
                                           "Wno-deprecated-gpu-targets",
                                           NULL};
static const char *const with_value_of_run[] = {"std",
                                                "rdc",
                                                "relocatable-device-code",
                                                "arch",
                                                "gpu-architecture",
                                                "gencode",
                                                "generate-code",
                                                "code",
                                                "gpu-code",
                                                "fmad",
                                                "ftz",
                                                "prec-div",
                                                "prec-sqrt",
                                                "maxrregcount",
                                                "default-stream",
                                                "cudart",
                                                "diag-suppress",
                                                "Xcompiler",
                                                "compiler-options",
                                                "Xlinker",
                                                "linker-options",
                                                "Xptxas",
                                                "ptxas-options",
                                                "Xcudafe",
                                                "l",
                                                "library",
                                                "O",
                                                "optimize",
                                                NULL};

size_t nvcc_arguments_option(char *const *words) {
    const char *word = *words;
    if (*word != '-' || !word[1])
        return 0;
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    if (is_one_of(name, alone_of_run))
        return 1;
    if (!is_long && ((name[0] == 'l' && name[1] && !strchr(name, '=')) ||
                     (name[0] == 'O' && isdigit((unsigned char)name[1]))))
        return 1;
    cleanup_free char *before = mem_strndup(name, strcspn(name, "="));
    if (!is_one_of(before, with_value_of_run) || (is_long && strcmp(before, "arch") == 0))
        return 0; /* --arch is also `run`'s own */
    return name[strlen(before)] == '=' ? 1 : words[1] ? 2 : 0;
}

/* By the compile job itself; -G in place of the lines, which contradict it. */
static bool is_given_anyhow(struct rewriter *rewriter, const char *word) {
    static const char *const words[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug",
                                        NULL};
    if (!is_one_of(word, words))
        return false;
    rewriter->has_debug |= is_one_of(word, words + 2);
    return true;
}

void nvcc_arguments_options(const struct nvcc_setting *setting, char *const *given,
                            struct nvcc_arguments *arguments, char *architecture) {
    struct rewriter rewriter = {.setting = setting, .out = arguments};
    *arguments = (struct nvcc_arguments){0};
    *architecture = '\0';
    take_words(&rewriter, given, 0);
    for (size_t i = 0; i < rewriter.count; i++)
        if (!is_given_anyhow(&rewriter, rewriter.words[i]))
            take_word(&rewriter, &i);
    arguments->debugs = rewriter.has_debug;
    raise_architecture(&rewriter);
    if (*rewriter.architecture)
        snprintf(architecture, 32, "compute_%s", rewriter.architecture);
    end_words(&rewriter);
}

void nvcc_arguments_free(struct nvcc_arguments *arguments) {
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->words[i]);
    free(arguments->words);
    text_free(&arguments->note);
}
