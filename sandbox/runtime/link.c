/* The library's end of the socket. A mutex makes calls of several threads one after the other.
 *
 * Where there is no socket the program was started by itself, and not by `warpgrade run`: it may
 * ask how many cards there are, as build systems let it (none), and nothing else. Where it is
 * closed, the simulated card has ended; nothing can be computed any more, and the program ends: who
 * started it knows why and says it. */
#include "sandbox/runtime/link.h"

#include "sandbox/runtime/host/fault.h"
#include "sandbox/runtime/host/site.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    pthread_mutex_t mutex;
    unsigned char *window; /* NULL: not yet connected */
    uint32_t sites;        /* that it knows */
    struct wire_device device;
} card = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local uint64_t stream;

void link_set_stream(uint64_t number) {
    stream = number;
}

void link_give_up(const char *format, ...) {
    va_list arguments;
    fflush(NULL);
    fputs("warpgrade: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _exit(1);
}

static void send_all(const void *bytes, size_t length) {
    for (const char *at = bytes; length;) {
        ssize_t sent = write(WIRE_SOCKET, at, length);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            link_give_up("the simulated GPU has ended");
        at += sent;
        length -= (size_t)sent;
    }
}

/* Into NULL: dropped. */
static void receive_all(void *bytes, size_t length) {
    char dropped[4096];
    for (char *at = bytes; length;) {
        size_t most = at || length < sizeof dropped ? length : sizeof dropped;
        ssize_t got = read(WIRE_SOCKET, at ? at : dropped, most);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            link_give_up("the simulated GPU has ended");
        at = at ? at + got : NULL;
        length -= (size_t)got;
    }
}

static _Thread_local volatile enum link_copying copying;

static void copy(void *to, const void *from, size_t bytes, enum link_copying how) {
    copying = how;
    memcpy(to, from, bytes);
    copying = LINK_COPIES_NOTHING;
}

enum link_copying link_copy_of_this_thread(void) {
    return copying;
}

static cudaError_t talk(struct link_call *call) {
    struct wire_request request = {.call = call->call,
                                   .inline_bytes = (uint32_t)call->sent_bytes,
                                   .site = call->site,
                                   .stream = stream};
    struct wire_answer answer;
    memcpy(request.argument, call->argument, sizeof request.argument);
    if (call->put_bytes)
        copy(card.window, call->put, call->put_bytes, LINK_READS);
    send_all(&request, sizeof request);
    send_all(call->sent, call->sent_bytes);
    receive_all(&answer, sizeof answer);
    size_t kept =
        answer.inline_bytes < call->received_max ? answer.inline_bytes : call->received_max;
    receive_all(call->received, kept);
    receive_all(NULL, answer.inline_bytes - kept);
    call->received_bytes = kept;
    memcpy(call->value, answer.value, sizeof call->value);
    if (!answer.error && call->taken_bytes)
        copy(call->taken, card.window, call->taken_bytes, LINK_WRITES);
    return (cudaError_t)answer.error;
}

static void ignore_broken_pipe(void) {
    /* A write to a card that is gone must not end the program without a word. */
    static bool done;
    if (!done)
        signal(SIGPIPE, SIG_IGN);
    done = true;
}

#define START_IT                                                                                   \
    "this program was built for the simulated GPU: start it with\n"                                \
    "    warpgrade run PROGRAM"

static void *map_window(void) {
    void *window = mmap(NULL, WIRE_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED, 0);
    return window == MAP_FAILED ? NULL : window;
}

static void connect_card(void) {
    void *window = map_window();
    if (!window)
        link_give_up(START_IT);
    ignore_broken_pipe();
    atexit(finish_look);
    card.window = window;
    struct link_call hello = {.call = WIRE_HELLO,
                              .argument = {WIRE_VERSION},
                              .received = &card.device,
                              .received_max = sizeof card.device};
    if (talk(&hello) != cudaSuccess || hello.received_bytes != sizeof card.device)
        link_give_up("the simulated GPU speaks another version of the protocol");
}

/* Those that were found before it, too: numbers are given in the order in which they are sent. */
static void tell_sites(uint32_t last) {
    while (card.sites < last) {
        uint64_t frames[WIRE_SITE_FRAMES];
        size_t count = site_frames(++card.sites, frames);
        struct link_call call = {
            .call = WIRE_SITE, .sent = frames, .sent_bytes = count * sizeof *frames};
        talk(&call);
    }
}

cudaError_t link_do(struct link_call *call) {
    if (!call->site)
        call->site = site_here();
    pthread_mutex_lock(&card.mutex);
    if (!card.window)
        connect_card();
    tell_sites(call->site);
    cudaError_t error = talk(call);
    pthread_mutex_unlock(&card.mutex);
    return error;
}

void link_do_at_last(struct link_call *call) {
    enum { TRIES = 50, PAUSE_US = 2000 };
    call->site = site_here_at_last();
    bool is_ours = copying != LINK_COPIES_NOTHING; /* and nothing is on its way */
    for (int i = 0; i < TRIES && !is_ours; i++) {
        is_ours = pthread_mutex_trylock(&card.mutex) == 0;
        if (!is_ours)
            usleep(PAUSE_US);
    }
    bool is_there = card.window || fcntl(WIRE_SOCKET, F_GETFD) >= 0;
    if (!is_ours || !is_there)
        return;
    if (!card.window)
        connect_card();
    tell_sites(call->site);
    talk(call);
}

cudaError_t link_ask(enum wire_call id, uint64_t a, uint64_t b, uint64_t c, uint64_t *value) {
    struct link_call call = {.call = id, .argument = {a, b, c}};
    cudaError_t error = link_do(&call);
    if (value)
        *value = call.value[0];
    return error;
}

bool link_is_there(void) {
    static bool told;
    pthread_mutex_lock(&card.mutex);
    void *window = card.window ? NULL : map_window();
    bool there = card.window || window;
    if (window)
        munmap(window, WIRE_WINDOW);
    if (!there && !told)
        fputs("warpgrade: " START_IT "\n", stderr);
    told |= !there;
    pthread_mutex_unlock(&card.mutex);
    return there;
}

bool link_is_used(void) {
    pthread_mutex_lock(&card.mutex);
    bool used = card.window;
    pthread_mutex_unlock(&card.mutex);
    return used;
}

const struct wire_device *link_device(void) {
    pthread_mutex_lock(&card.mutex);
    if (!card.window)
        connect_card();
    pthread_mutex_unlock(&card.mutex);
    return &card.device;
}
