/* warpgrade-worker: the workers' side alone, in a program of its own beside warpgrade.
 *
 * warpgrade can be its own worker, and is where this file's program is not beside it. But a grading
 * starts two workers a case, and warpgrade links libgit2, libxml2 and SQLite, with Kerberos, ICU
 * and OpenSSL with them: the dynamic loader spends 4 ms on what a worker never calls. And what is
 * not mapped cannot be attacked. */
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <stdio.h>

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    fputs("warpgrade-worker is started by warpgrade; `warpgrade --help` lists the commands\n",
          stderr);
    return STATUS_INVALID;
}
