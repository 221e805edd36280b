/* A program that is its own worker. */
#ifndef WARPGRADE_SANDBOX_PROGRAM_WORKER_MAIN_H
#define WARPGRADE_SANDBOX_PROGRAM_WORKER_MAIN_H

#include <stdbool.h>

/* Called first by main() of every program that starts workers, tests included, because a worker may
 * be the same program: where the process was started as a worker, runs its role and ends the
 * process; where there is no such role, returns true with the exit code in *code; otherwise false.
 */
bool worker_main(int argc, char **argv, int *code);

#endif
