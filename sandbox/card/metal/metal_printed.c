/* The driver writes what kernels print to standard output when the host has waited for them, and
 * what an assertion says to standard error. Both are memory files while the dialog lasts. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRINTED_MAX = 8 << 20, SAID_MAX = 4096 };

static int replace(int descriptor, const char *name) {
    int file = memfd_create(name, MFD_CLOEXEC);
    return file >= 0 && dup2(file, descriptor) == descriptor ? file : -1;
}

bool metal_printed_begin(struct metal *metal) {
    metal->printed = replace(STDOUT_FILENO, "printed");
    metal->said = replace(STDERR_FILENO, "said");
    return metal->printed >= 0 && metal->said >= 0;
}

void metal_printed_take(struct card *card) {
    int file = card->metal->printed;
    struct stat info;
    fflush(stdout);
    if (fstat(file, &info) != 0 || info.st_size == 0)
        return;
    size_t room = card->printed.length < PRINTED_MAX ? PRINTED_MAX - card->printed.length : 0;
    size_t length = (uint64_t)info.st_size < room ? (size_t)info.st_size : room;
    cleanup_free char *bytes = mem_alloc(length + 1);
    ssize_t got = pread(file, bytes, length, 0);
    text_append_bytes(&card->printed, bytes, got > 0 ? (size_t)got : 0);
    if (ftruncate(file, 0) == 0)
        lseek(file, 0, SEEK_SET);
}

enum card_error metal_do_ASSERTED(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    (void)request;
    char bytes[SAID_MAX + 1];
    fflush(stderr);
    ssize_t got = pread(card->metal->said, bytes, SAID_MAX, 0);
    bytes[got > 0 ? got : 0] = '\0';
    const char *failed = strstr(bytes, "Assertion `"), *line = failed;
    while (line && line > bytes && line[-1] != '\n')
        line--;
    if (line)
        text_printf(&reply->bytes, "%.*s\n", (int)strcspn(line, "\n"), line);
    return CARD_OK;
}
