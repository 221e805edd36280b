/* aim: use more processor time than the case has, past the signal that says so
 * defence: the wall clock's limit, and CPU time of all threads together
 * role: sim
 * stage: started
 * options: --time-limit 0.2
 * once: yes
 * verdict: time-limit
 * says: 0.2 s
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <pthread.h>
#include <signal.h>

static void *spin(void *nothing) {
    for (volatile unsigned long i = 0;; i++)
        ;
    return nothing;
}

ATTACK {
    signal(SIGXCPU, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, spin, NULL);
    }
    spin(NULL);
}
