/* What `warpgrade nvcc` makes of nvcc's arguments. Private to the command. */
#ifndef WARPGRADE_GRADER_CLI_RUN_NVCC_ARGUMENTS_H
#define WARPGRADE_GRADER_CLI_RUN_NVCC_ARGUMENTS_H

#include "sandbox/base/text.h"

struct nvcc_arguments {
    char **words; /* ended by NULL */
    size_t count, capacity;
    bool builds;      /* it compiles or links: needs a host compiler */
    bool debugs;      /* -G */
    struct text note; /* what was changed and may surprise, one line each */
};

struct nvcc_setting {
    unsigned version;    /* of CUDA: 13; 0: not known */
    const char *runtime; /* the folder of our libcudart.so; NULL: there is none */
};

/* For `warpgrade run`: how many of the words, of which the first is one, are an option of nvcc's
 * that makes a program another one; 0: the first is none. What makes no program is none, nor are
 * those that `run` has itself. */
size_t nvcc_arguments_option(char *const *words);
/* Such options, as they are passed on. *architecture, of 32 bytes, is "compute_80", or "" where
 * they name none. The list begins with the first of them. Free *arguments. */
void nvcc_arguments_options(const struct nvcc_setting *setting, char *const *given,
                            struct nvcc_arguments *arguments, char *architecture);

/* Of the arguments after the program's name, files of options included. The first word is left for
 * nvcc's path. Free *arguments. */
void nvcc_arguments_make(const struct nvcc_setting *setting, char *const *given,
                         struct nvcc_arguments *arguments);
void nvcc_arguments_free(struct nvcc_arguments *arguments);

#endif
