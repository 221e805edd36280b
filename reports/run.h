/* What `warpgrade run` says when a program has ended. Pure functions. */
#ifndef WARPGRADE_REPORTS_RUN_H
#define WARPGRADE_REPORTS_RUN_H

#include "sandbox/base/launch.h"
#include "sandbox/base/protection.h"
#include "sandbox/base/text.h"

/* A file that the program has written in its folder. */
struct run_file {
    const char *path; /* hostile */
    uint64_t bytes;
    const char *not_kept; /* why, where files shall be; "" */
};

struct run_report {
    const char *program; /* as the user named it */
    const char *source;  /* its text, for excerpts; NULL: not known */
    size_t source_length;
    const struct engine_result *found; /* by the card, in all launches */
    uint64_t launches;
    double modelled_ms, modelled_sum_ms; /* as of struct card_result */
    const struct device_profile *device;
    const char *card;                     /* that it ran on, by its name; NULL: it was simulated */
    uint64_t leaked_blocks, leaked_bytes; /* of device memory */
    uint64_t device_bytes, refused_bytes; /* of it: in all; asked for at once in vain */
    bool used;                            /* it has called the CUDA runtime */
    int exit_code;                        /* -1: it did not exit by itself */
    int signal;                           /* that ended it; 0: none */
    const struct hazard *crash; /* what it was doing at the signal: message, file, line, as far as
                                   they are known */
    const char *limit;          /* which limit ended it: "wall clock limit: ..."; "" */
    const struct run_file *files;
    size_t file_count;
    size_t more_files; /* that are not in the list, and never kept */
    bool keeps_files;
    size_t left_out; /* files of its folder that it did not get */
    bool cut;        /* ... and others that were not looked at */
    struct protection protection;
};

/* What the program's end means, in one sentence; "" where it exited by itself. */
void report_run_end(const struct run_report *report, struct text *out);
/* Hazards with excerpts, how it ended, what it has left. */
void report_run_text(const struct run_report *report, bool color, struct text *out);
/* Appends the JSON that reports/run.schema.json describes. */
void report_run_json(const struct run_report *report, struct text *out);
/* "clean", "warnings", "hazards", or "error" where a limit, a signal or the card ended it. */
const char *report_run_status(const struct run_report *report);

#endif
