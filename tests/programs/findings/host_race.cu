// Memory of the host that is used while a copy may still be at it.
//
//  1 right                      waits for the stream before it reads
//  2 right                      waits for the device
//  3 right                      waits for an event after the copy
//  4 right                      a copy that is not asynchronous
//  5 right                      overwrites what was sent when the stream is done
//  6 right                      reads another half than is being copied
//  7 right                      asks until the stream is done
//  8 right                      pageable memory, which the call itself has taken
//  9 right                      only reads what is being sent
// 10 right                      a later synchronous copy in the same stream
// 21 wrong host-race error      reads before it is there
// 22 wrong host-race error      writes where the copy will write
// 23 wrong host-race error      overwrites what is being sent
// 24 wrong host-race error      waits for another stream
// 25 wrong host-race error      waits for an event before the copy
// 26 wrong host-race error      the default stream, which the host does not wait for
// 27 wrong host-race error      another stream waits, not the host
// 28 wrong host-race error      the next turn of a loop fills the buffer that is being sent
// 29 wrong host-race error      waits before the copy, not after it
#include "cases.h"

struct Setting {
    int *x = device_ints(), *pinned;
    cudaStream_t stream, other;
    cudaEvent_t event;
    Setting() {
        must(cudaMallocHost(&pinned, BYTES));
        for (int i = 0; i < N; i++)
            pinned[i] = i;
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        must(cudaEventCreate(&event));
        must(cudaDeviceSynchronize());
    }
    void receive() {
        must(cudaMemcpyAsync(pinned, x, BYTES, cudaMemcpyDeviceToHost, stream));
    }
    void send() {
        must(cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, stream));
    }
    ~Setting() {
        must(cudaDeviceSynchronize());
        must(cudaEventDestroy(event));
        must(cudaStreamDestroy(stream));
        must(cudaStreamDestroy(other));
        must(cudaFreeHost(pinned));
        must(cudaFree(x));
    }
};

static void waits_for_stream() {
    Setting s;
    s.receive();
    must(cudaStreamSynchronize(s.stream));
    printf("%d\n", s.pinned[3]);
}

static void waits_for_device() {
    Setting s;
    s.receive();
    must(cudaDeviceSynchronize());
    printf("%d\n", s.pinned[3]);
}

static void waits_for_event() {
    Setting s;
    s.receive();
    must(cudaEventRecord(s.event, s.stream));
    must(cudaEventSynchronize(s.event));
    printf("%d\n", s.pinned[3]);
}

static void synchronous() {
    Setting s;
    must(cudaMemcpy(s.pinned, s.x, BYTES, cudaMemcpyDeviceToHost));
    printf("%d\n", s.pinned[3]);
}

static void overwrites_later() {
    Setting s;
    s.send();
    must(cudaStreamSynchronize(s.stream));
    s.pinned[3] = 7;
}

static void another_half() {
    Setting s;
    must(cudaMemcpyAsync(s.pinned, s.x, BYTES / 2, cudaMemcpyDeviceToHost, s.stream));
    printf("%d\n", s.pinned[N - 1]);
}

static void asks() {
    Setting s;
    s.receive();
    while (cudaStreamQuery(s.stream) == cudaErrorNotReady) {
    }
    printf("%d\n", s.pinned[3]);
}

static void pageable() {
    Setting s;
    static int buffer[N];
    for (int i = 0; i < 3; i++) {
        buffer[0] = i;
        must(cudaMemcpyAsync(s.x, buffer, BYTES, cudaMemcpyHostToDevice, s.stream));
    }
}

static void only_reads() {
    Setting s;
    s.send();
    printf("%d\n", s.pinned[3]);
}

static void later_copy() {
    Setting s;
    int one;
    must(cudaMemcpyAsync(s.pinned, s.x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaMemcpy(&one, s.x, sizeof one, cudaMemcpyDeviceToHost));
    printf("%d\n", s.pinned[3]);
}

static void too_early() {
    Setting s;
    s.receive();
    printf("%d\n", s.pinned[3]); // @21
}

static void writes_too_early() {
    Setting s;
    s.receive();
    s.pinned[3] = 7; // @22
}

static void being_sent() {
    Setting s;
    s.send();
    s.pinned[3] = 7; // @23
}

static void another_stream() {
    Setting s;
    s.receive();
    must(cudaStreamSynchronize(s.other));
    printf("%d\n", s.pinned[3]); // @24
}

static void event_before() {
    Setting s;
    must(cudaEventRecord(s.event, s.stream));
    s.receive();
    must(cudaEventSynchronize(s.event));
    printf("%d\n", s.pinned[3]); // @25
}

static void default_stream() {
    Setting s;
    must(cudaMemcpyAsync(s.pinned, s.x, BYTES, cudaMemcpyDeviceToHost));
    printf("%d\n", s.pinned[3]); // @26
}

static void stream_waits() {
    Setting s;
    s.receive();
    must(cudaEventRecord(s.event, s.stream));
    must(cudaStreamWaitEvent(s.other, s.event, 0));
    printf("%d\n", s.pinned[3]); // @27
}

static void next_turn() {
    Setting s;
    for (int turn = 0; turn < 3; turn++) {
        s.pinned[0] = turn; // @28
        s.send();
    }
}

static void waits_before() {
    Setting s;
    must(cudaStreamSynchronize(s.stream));
    s.receive();
    printf("%d\n", s.pinned[3]); // @29
}

static const Case cases[] = {{1, waits_for_stream},
                             {2, waits_for_device},
                             {3, waits_for_event},
                             {4, synchronous},
                             {5, overwrites_later},
                             {6, another_half},
                             {7, asks},
                             {8, pageable},
                             {9, only_reads},
                             {10, later_copy},
                             {21, too_early},
                             {22, writes_too_early},
                             {23, being_sent},
                             {24, another_stream},
                             {25, event_before},
                             {26, default_stream},
                             {27, stream_waits},
                             {28, next_turn},
                             {29, waits_before}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
