/* The one clock of durations and deadlines. */
#ifndef WARPGRADE_SANDBOX_BASE_CLOCK_H
#define WARPGRADE_SANDBOX_BASE_CLOCK_H

double clock_ms(void);           /* milliseconds since some moment; never runs backwards */
double clock_processor_ms(void); /* that this process's threads have had of processors */

#endif
