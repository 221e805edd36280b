/* The sim worker's main(): the other side of engine_run().
 *
 * What it needs of the system it takes first: the mapping of the shared data, whose bytes it does
 * not look at, and a number of processors. Then it closes its jail behind itself and reads the
 * request. A file of its own, so that a worker's program holds nothing that starts workers. */
#include "sandbox/engine.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"
#include "sandbox/engine_wire.h"
#include "sandbox/simgpu/simgpu.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REQUEST_MAX = 256 << 20 };

/* Maps the data that the supervisor shares. Length 0: nothing to map. */
static bool map_data(struct engine_launch *launch) {
    struct stat info;
    if (fstat(WORKER_DATA_FD, &info) != 0 || info.st_size < 0)
        return false;
    launch->data_length = (size_t)info.st_size;
    if (launch->data_length == 0)
        return true;
    launch->data =
        mmap(NULL, launch->data_length, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0);
    return launch->data != MAP_FAILED;
}

static int refuse(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    return WORKER_EXIT_REFUSED;
}

int sim_worker_main(void) {
    cleanup_text struct text request = {0}, response = {0};
    cleanup_message struct protocol_message message = {0};
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch launch, mapped = {0};
    if (!map_data(&mapped))
        return refuse("the data of the launch cannot be mapped");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    json_object_seed(0); /* jansson would open /dev/urandom for it */
    jail_enter(JAIL_SIMULATOR);
    if (!worker_read_request(REQUEST_MAX, &request) ||
        !protocol_parse(text_string(&request), request.length, &message))
        return refuse("the request is not a frame");
    if (!engine_wire_decode_launch(message.control, mapped.data_length, arguments, &device,
                                   &launch))
        return refuse("the launch is not valid");
    if (launch.threads == 0 && processors > 0)
        launch.threads = (unsigned)processors; /* nobody can ask from here on */
    launch.data = mapped.data;
    launch.data_length = mapped.data_length;
    /* The simulated GPU may want a C string; nothing stands behind the bulk part but text's NUL. */
    launch.ptx = message.bulk;
    launch.ptx_length = message.bulk_length;
    struct engine_result result = {0};
    sim_run(&launch, &result);
    if (result.printed.length > ENGINE_PRINTED_MAX) {
        result.printed.length = ENGINE_PRINTED_MAX;
        result.printed_cut = true;
    }
    protocol_frame(&response, engine_wire_encode_result(&result), text_string(&result.printed),
                   result.printed.length);
    engine_result_free(&result);
    return file_write_all(STDOUT_FILENO, response.data, response.length) ? 0 : WORKER_EXIT_REFUSED;
}
