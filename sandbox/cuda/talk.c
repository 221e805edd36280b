/* A socket pair of packets (SOCK_SEQPACKET): the kernel keeps the borders of messages, so that a
 * liar can send a wrong message and never half of one, and descriptors belong to their message. */
#include "sandbox/cuda/talk.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool talk_open(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
}

union ancillary {
    struct cmsghdr header; /* for its alignment */
    char bytes[CMSG_SPACE(sizeof(int) * TALK_MAX_DESCRIPTORS)];
};

bool talk_send(int socket, json_t *control, const void *bulk, size_t bulk_length,
               const int *descriptors, size_t descriptor_count) {
    cleanup_text struct text frame = {0};
    protocol_frame(&frame, control, bulk, bulk_length);
    if (frame.length > TALK_MAX_BYTES || descriptor_count > TALK_MAX_DESCRIPTORS) {
        errno = EMSGSIZE;
        return false;
    }
    union ancillary ancillary = {0};
    struct iovec part = {.iov_base = frame.data, .iov_len = frame.length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count) {
        message.msg_control = ancillary.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    ssize_t sent;
    do /* the second jail has no sendmsg(): its address could not be looked at */
        sent = descriptor_count ? sendmsg(socket, &message, flags)
                                : send(socket, frame.data, frame.length, flags);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)frame.length;
}

static void take_descriptors(struct msghdr *message, int *descriptors, size_t max, size_t *count) {
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        size_t got = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < got; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(at) + i * sizeof(int), sizeof(int));
            if (*count < max)
                descriptors[(*count)++] = descriptor;
            else
                close(descriptor);
        }
    }
}

/* Below 0: for ever. */
static bool await(int socket, double seconds) {
    double until = clock_ms() + seconds * 1e3;
    for (;;) {
        double left = until - clock_ms();
        struct pollfd polled = {.fd = socket, .events = POLLIN};
        int wait_ms = seconds < 0 ? -1 : left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
        int ready = poll(&polled, 1, wait_ms);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true; /* recvmsg() says what it is */
        if (seconds >= 0 && clock_ms() >= until)
            return false;
    }
}

enum talk_state talk_receive(int socket, double seconds, struct text *frame,
                             struct protocol_message *parsed, int *descriptors,
                             size_t descriptor_max, size_t *descriptor_count) {
    union ancillary ancillary;
    cleanup_free char *buffer = mem_alloc(TALK_MAX_BYTES);
    struct iovec part = {.iov_base = buffer, .iov_len = TALK_MAX_BYTES};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    *parsed = (struct protocol_message){0};
    if (descriptor_count)
        *descriptor_count = 0;
    if (descriptor_max) {
        message.msg_control = ancillary.bytes;
        message.msg_controllen = sizeof ancillary.bytes;
    }
    if (!await(socket, seconds))
        return TALK_LATE;
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return TALK_CLOSED;
    if (descriptor_max)
        take_descriptors(&message, descriptors, descriptor_max, descriptor_count);
    text_clear(frame);
    text_append_bytes(frame, buffer, (size_t)got);
    return !(message.msg_flags & MSG_TRUNC) && protocol_parse(frame->data, frame->length, parsed)
               ? TALK_MESSAGE
               : TALK_BROKEN;
}
