/* The signal that ends the program, told to the card before it does its work: what the host touched
 * that is not its own. The program's own handlers come later and replace this one.
 *
 * An address of the card is no address of the host at all, so that the processor does not say which
 * one it was; it stands in one of the registers. */
#include "sandbox/runtime/host/fault.h"

#include "sandbox/runtime/link.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 64 << 10 };

static char other_stack[STACK]; /* of the main thread, whose own may be used up */
static struct sigaction before[NSIG];

static enum wire_fault place_of(uintptr_t address, uintptr_t stack_pointer) {
    enum { NEAR = 64 << 10 };
    if (link_copy_of_this_thread() == LINK_READS)
        return WIRE_FAULT_READING;
    if (link_copy_of_this_thread() == LINK_WRITES)
        return WIRE_FAULT_WRITING;
    bool near = address && address < stack_pointer + NEAR && address + NEAR > stack_pointer;
    return near ? WIRE_FAULT_STACK : WIRE_FAULT_ELSEWHERE;
}

static void on_signal(int number, siginfo_t *info, void *data) {
    const ucontext_t *context = data;
    const greg_t *registers = context->uc_mcontext.gregs;
    uint64_t words[NGREG];
    size_t count = 0;
    uintptr_t address = number == SIGSEGV || number == SIGBUS ? (uintptr_t)info->si_addr : 0;
    for (int i = REG_R8; i <= REG_RSP && info->si_code == SI_KERNEL; i++)
        words[count++] = (uint64_t)registers[i];
    struct link_call call = {
        .call = WIRE_FAULT,
        .argument = {(uint64_t)number, address, place_of(address, (uintptr_t)registers[REG_RSP])},
        .sent = words,
        .sent_bytes = count * sizeof *words};
    const char *missing = driver_function_not_found();
    if (number == SIGSEGV && !registers[REG_RIP] && *missing)
        call = (struct link_call){
            .call = WIRE_MISSING, .sent = missing, .sent_bytes = strlen(missing)};
    sigaction(number, &before[number], NULL);
    link_do_at_last(&call);
    if (info->si_code <= 0) /* it was sent, and does not come again by itself */
        raise(number);
}

__attribute__((constructor)) static void watch(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, &before[signals[i]]);
}
