/* Compiles a source as the program does, for the tests of this folder. */
#ifndef WARPGRADE_TESTS_UNIT_BUILD_COMPILE_H
#define WARPGRADE_TESTS_UNIT_BUILD_COMPILE_H

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct error error;

static inline struct build_result compile_request(struct build_request request) {
    struct build_result result;
    request.no_cache = true;
    if (!request.file_name)
        request.file_name = "dot.cu";
    if (build_compile(&request, NULL, &result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return result;
}

static inline struct build_result compile(const char *source, const char *kernel) {
    return compile_request((struct build_request){
        .source = source, .source_length = strlen(source), .kernel = kernel});
}

#endif
