/* Ctrl-C while a program runs: it ends, and what was made for it is removed. Private to the
 * command. */
#ifndef WARPGRADE_GRADER_CLI_RUN_INTERRUPT_H
#define WARPGRADE_GRADER_CLI_RUN_INTERRUPT_H

/* From now on SIGINT, SIGTERM and SIGHUP make the descriptor readable, which is given; -1: they end
 * the process as before. */
int interrupt_watch(void);
/* The signal that came; 0: none. */
int interrupt_signal(void);

#endif
