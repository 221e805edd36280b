/* Compiles tools.cu as submissions are compiled: in the jail, by NVRTC, for the card's own
 * architecture, kept in the build's cache. */
#include "sandbox/cuda/tools.h"

#include "sandbox/base/memory.h"
#include "sandbox/engine/engine.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum engine_fill_kind kind;
} kinds[] = {
    {"FILL_IOTA", ENGINE_FILL_IOTA},       {"FILL_CONSTANT", ENGINE_FILL_CONSTANT},
    {"FILL_UNIFORM", ENGINE_FILL_UNIFORM}, {"FILL_INTEGERS", ENGINE_FILL_INTEGERS},
    {"FILL_WORDS", ENGINE_FILL_WORDS},     {"FILL_SORTED", ENGINE_FILL_SORTED},
    {"FILL_OFFSETS", ENGINE_FILL_OFFSETS},
};

enum status tools_build(const char *architecture, struct build_result *result,
                        struct error *error) {
    char texts[ARRAY_LENGTH(kinds)][32];
    const char *defines[ARRAY_LENGTH(kinds)];
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        snprintf(texts[i], sizeof texts[i], "%s=%d", kinds[i].name, (int)kinds[i].kind);
        defines[i] = texts[i];
    }
    struct build_request request = {.file_name = "warpgrade.tools.cu",
                                    .source = tools_sources[0].text,
                                    .source_length = strlen(tools_sources[0].text),
                                    .kernel = TOOLS_FILL,
                                    .defines = defines,
                                    .define_count = ARRAY_LENGTH(kinds),
                                    .architecture = architecture};
    enum status status = build_compile(&request, NULL, result, error);
    if (status == STATUS_INVALID && error) { /* an architecture that this compiler does not know */
        cleanup_free char *reason = mem_strdup(error->message);
        error_set(error, STATUS_ENVIRONMENT,
                  "the compiler makes no code for this card (%s): %.600s", architecture, reason);
        error_hint(error, "Install a CUDA toolkit whose NVRTC knows %s and set CUDA_HOME.",
                   architecture);
    }
    if (status != STATUS_OK)
        return STATUS_ENVIRONMENT;
    if (result->compiled)
        return STATUS_OK;
    error_set(error, STATUS_ENVIRONMENT, "our own kernels do not compile for %s: %s%s%s",
              architecture, result->message, result->diagnostic_count ? ": " : "",
              result->diagnostic_count ? result->diagnostics[0].text : "");
    build_result_free(result);
    return STATUS_ENVIRONMENT;
}
