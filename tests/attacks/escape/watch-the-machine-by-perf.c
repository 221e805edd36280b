/* aim: watch other processes, or reach the kernel, by performance counters
 * defence: system calls: perf_event_open is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .exclude_kernel = 1};
    attack_reached(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0), "perf_event_open");
}
