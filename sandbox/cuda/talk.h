/* Messages between a session and its worker: one frame of protocol.h a packet, descriptors beside
 * it. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_TALK_H
#define WARPGRADE_SANDBOX_CUDA_TALK_H

#include "sandbox/base/text.h"
#include "sandbox/worker/protocol.h"

/* What both sides' buffers take for certain; a socket's are 208 KiB unless the system's limit was
 * lowered.
 */
enum { TALK_MAX_BYTES = 128 << 10, TALK_MAX_DESCRIPTORS = 2 };

bool talk_open(int ends[2]); /* close-on-exec; errno says why not */
/* Takes over the reference to control. Never waits: the reader of what it is asked has emptied the
 * socket, and who answers without reading shall not keep the other side waiting. */
bool talk_send(int socket, json_t *control, const void *bulk, size_t bulk_length,
               const int *descriptors, size_t descriptor_count);

enum talk_state { TALK_MESSAGE, TALK_CLOSED, TALK_LATE, TALK_BROKEN };
/* Waits `seconds` (negative: for ever) for a message. `frame` owns its bytes, into which
 * `message` points; both are to be freed. Descriptors beyond `descriptor_max`, and all where that
 * is 0, are never installed. TALK_BROKEN: it is no frame. */
enum talk_state talk_receive(int socket, double seconds, struct text *frame,
                             struct protocol_message *message, int *descriptors,
                             size_t descriptor_max, size_t *descriptor_count);

#endif
