// Work of two streams on the same bytes that nothing orders.
//
//  1 right                        one stream
//  2 right                        an event that the second stream waits for
//  3 right                        the host waits between them
//  4 right                        both only read
//  5 right                        each has its own half
//  6 right                        the default stream orders blocking streams
//  7 right                        atomic additions of both
//  8 right                        work that joins after a fork
//  9 right                        the host waits for the event
// 10 right                        copies of different parts overlap with kernels
// 21 wrong stream-race error      both write
// 22 wrong stream-race error      one reads what the other writes
// 23 wrong stream-race error      one writes what the other reads
// 24 wrong stream-race error      a memset and a kernel
// 25 wrong stream-race error      a copy to the device and a kernel
// 26 wrong stream-race error      a copy to the host of what is being written
// 27 wrong stream-race error      the event was recorded too early
// 28 wrong stream-race error      waited for too late
// 29 wrong stream-race error      the default stream does not wait for a non-blocking one
// 30 wrong stream-race error      the host waits for the wrong stream
// 31 wrong stream-race error      halves that overlap by an element
#include "cases.h"

struct Setting {
    int *x = device_ints(), *y = device_ints(), *pinned;
    cudaStream_t a, b;
    cudaEvent_t event;
    explicit Setting(unsigned flags = cudaStreamNonBlocking) {
        must(cudaMallocHost(&pinned, BYTES));
        memset(pinned, 0, BYTES);
        must(cudaStreamCreateWithFlags(&a, flags));
        must(cudaStreamCreateWithFlags(&b, flags));
        must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        must(cudaDeviceSynchronize());
    }
    ~Setting() {
        must(cudaDeviceSynchronize());
        must(cudaEventDestroy(event));
        must(cudaStreamDestroy(a));
        must(cudaStreamDestroy(b));
        must(cudaFreeHost(pinned));
        must(cudaFree(x));
        must(cudaFree(y));
    }
};

__global__ void add(int *x) {
    atomicAdd(x, 1);
}

static void one_stream() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    twice<<<1, N, 0, s.a>>>(s.x);
}

static void event() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaEventRecord(s.event, s.a));
    must(cudaStreamWaitEvent(s.b, s.event, 0));
    twice<<<1, N, 0, s.b>>>(s.x);
}

static void host_waits() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaStreamSynchronize(s.a));
    twice<<<1, N, 0, s.b>>>(s.x);
}

static void only_read() {
    Setting s;
    int *z = device_ints();
    must(cudaDeviceSynchronize());
    copy_of<<<1, N, 0, s.a>>>(s.y, s.x);
    copy_of<<<1, N, 0, s.b>>>(z, s.x);
    must(cudaFree(z));
}

static void halves() {
    Setting s;
    fill<<<1, N / 2, 0, s.a>>>(s.x, 2);
    fill<<<1, N / 2, 0, s.b>>>(s.x + N / 2, 3);
}

static void default_stream() {
    Setting s(cudaStreamDefault);
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    twice<<<1, N>>>(s.x);
    twice<<<1, N, 0, s.b>>>(s.x);
}

static void atomics() {
    Setting s;
    add<<<1, N, 0, s.a>>>(s.x);
    add<<<1, N, 0, s.b>>>(s.x);
}

static void fork_and_join() {
    Setting s;
    cudaEvent_t joined;
    must(cudaEventCreate(&joined));
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaEventRecord(s.event, s.a));
    must(cudaStreamWaitEvent(s.b, s.event, 0));
    copy_of<<<1, N, 0, s.b>>>(s.y, s.x);
    must(cudaEventRecord(joined, s.b));
    must(cudaStreamWaitEvent(s.a, joined, 0));
    twice<<<1, N, 0, s.a>>>(s.x);
    must(cudaEventDestroy(joined));
}

static void host_waits_for_event() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaEventRecord(s.event, s.a));
    must(cudaEventSynchronize(s.event));
    twice<<<1, N, 0, s.b>>>(s.x);
}

static void overlap() {
    Setting s;
    cudaStream_t streams[] = {s.a, s.b};
    for (int i = 0; i < 2; i++) {
        int at = i * N / 2;
        must(cudaMemcpyAsync(s.x + at, s.pinned + at, BYTES / 2, cudaMemcpyHostToDevice,
                             streams[i]));
        twice<<<1, N / 2, 0, streams[i]>>>(s.x + at);
        must(cudaMemcpyAsync(s.pinned + at, s.x + at, BYTES / 2, cudaMemcpyDeviceToHost,
                             streams[i]));
    }
}

static void both_write() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    fill<<<1, N, 0, s.b>>>(s.x, 3); // @21
}

static void reads() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    copy_of<<<1, N, 0, s.b>>>(s.y, s.x); // @22
}

static void writes() {
    Setting s;
    copy_of<<<1, N, 0, s.a>>>(s.y, s.x);
    fill<<<1, N, 0, s.b>>>(s.x, 2); // @23
}

static void set() {
    Setting s;
    must(cudaMemsetAsync(s.x, 0, BYTES, s.a));
    twice<<<1, N, 0, s.b>>>(s.x); // @24
}

static void copied_to() {
    Setting s;
    must(cudaMemcpyAsync(s.x, s.pinned, BYTES, cudaMemcpyHostToDevice, s.a));
    twice<<<1, N, 0, s.b>>>(s.x); // @25
}

static void copied_from() {
    Setting s;
    twice<<<1, N, 0, s.a>>>(s.x);
    must(cudaMemcpyAsync(s.pinned, s.x, BYTES, cudaMemcpyDeviceToHost, s.b)); // @26
}

static void recorded_early() {
    Setting s;
    must(cudaEventRecord(s.event, s.a));
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaStreamWaitEvent(s.b, s.event, 0));
    twice<<<1, N, 0, s.b>>>(s.x); // @27
}

static void waited_late() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaEventRecord(s.event, s.a));
    twice<<<1, N, 0, s.b>>>(s.x); // @28
    must(cudaStreamWaitEvent(s.b, s.event, 0));
}

static void non_blocking() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    twice<<<1, N>>>(s.x); // @29
}

static void wrong_stream() {
    Setting s;
    fill<<<1, N, 0, s.a>>>(s.x, 2);
    must(cudaStreamSynchronize(s.b));
    twice<<<1, N, 0, s.b>>>(s.x); // @30
}

static void by_an_element() {
    Setting s;
    fill<<<1, N / 2 + 1, 0, s.a>>>(s.x, 2);
    fill<<<1, N / 2, 0, s.b>>>(s.x + N / 2, 3); // @31
}

static const Case cases[] = {{1, one_stream},
                             {2, event},
                             {3, host_waits},
                             {4, only_read},
                             {5, halves},
                             {6, default_stream},
                             {7, atomics},
                             {8, fork_and_join},
                             {9, host_waits_for_event},
                             {10, overlap},
                             {21, both_write},
                             {22, reads},
                             {23, writes},
                             {24, set},
                             {25, copied_to},
                             {26, copied_from},
                             {27, recorded_early},
                             {28, waited_late},
                             {29, non_blocking},
                             {30, wrong_stream},
                             {31, by_an_element}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
