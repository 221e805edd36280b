// Memory of the host that is used while a copy may still be at it, or a kernel at managed or mapped
// memory.
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
// 11 right                      managed: waits for the device before it reads
// 12 right                      managed: waits for the stream
// 13 right                      managed: waits for an event after the kernel
// 14 right                      managed: another block than the kernel's
// 15 right                      managed: reads what the kernel only reads
// 16 right                      managed: the half of a page that the kernel does not touch
// 17 right                      managed: a copy waits before the host reads
// 18 right                      managed: a function of the host in the stream
// 19 right                      managed: writes before the next launch, and waits after each
// 20 right                      managed: freed, which waits, and made again
// 21 wrong host-race error      reads before it is there
// 22 wrong host-race error      writes where the copy will write
// 23 wrong host-race error      overwrites what is being sent
// 24 wrong host-race error      waits for another stream
// 25 wrong host-race error      waits for an event before the copy
// 26 wrong host-race error      the default stream, which the host does not wait for
// 27 wrong host-race error      another stream waits, not the host
// 28 wrong host-race error      the next turn of a loop fills the buffer that is being sent
// 29 wrong host-race error      waits before the copy, not after it
// 30 wrong host-race error      managed: reads what the kernel writes
// 31 wrong host-race error      managed: writes what the kernel writes
// 32 wrong host-race error      managed: writes what the kernel reads
// 33 wrong host-race error      managed: waits for another stream
// 34 wrong host-race error      managed: waits for an event before the kernel
// 35 wrong host-race error      managed: a later kernel only reads what an earlier one writes
// 36 wrong host-race error      managed: the sum that blocks add up
// 37 wrong host-race error      managed: a variable
// 38 wrong host-race error      managed: the next turn of a loop fills what the kernel reads
// 39 wrong host-race error      managed: of two launches it waits for the first
// 40 wrong host-race error      managed: a launch of a graph
// 41 wrong host-race error      managed: the second of two pages, after the untouched first
// 42 right                      mapped: waits for the stream before it reads
// 43 right                      mapped: looks at a flag that the kernel sets by a volatile store
// 44 right                      mapped: sets a flag that the kernel reads by a volatile load
// 45 right                      mapped: the half that the kernel does not touch
// 46 wrong host-race error      mapped: reads what the kernel writes
// 47 wrong host-race error      mapped: writes what the kernel reads
// 48 wrong host-race error      mapped: waits for another stream
// 49 right                      mapped: waits for a flag that is raised behind the data
// 50 right                      mapped: waits for a flag that is released behind the data
// 51 wrong host-race error      mapped: reads behind a flag without a fence
// 52 right                      managed: a system call on the half that the kernel does not touch
// 53 wrong host-race error      managed: fwrite() of what the kernel writes
// 54 wrong host-race error      managed: read() into what the kernel reads
#include "cases.h"

#include <unistd.h>

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

__global__ void add_up(int *sum, const int *x) {
    atomicAdd(sum, x[threadIdx.x]);
}

__global__ void fill_second(int *x) {
    x[1024 + threadIdx.x] = 3;
}

__managed__ int total;

__global__ void set_total(int n) {
    total = n;
}

struct Managed {
    int *x, *y;
    cudaStream_t stream, other;
    cudaEvent_t event;
    Managed() {
        must(cudaMallocManaged(&x, 8192));
        must(cudaMallocManaged(&y, BYTES));
        for (int i = 0; i < N; i++)
            x[i] = y[i] = i;
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        must(cudaEventCreate(&event));
    }
    ~Managed() {
        must(cudaDeviceSynchronize());
        must(cudaEventDestroy(event));
        must(cudaStreamDestroy(stream));
        must(cudaStreamDestroy(other));
        must(cudaFree(x));
        must(cudaFree(y));
    }
};

static void managed_device() {
    Managed m;
    twice<<<1, N>>>(m.x);
    must(cudaDeviceSynchronize());
    printf("%d\n", m.x[3]);
    m.x[3] = 7;
}

static void managed_stream() {
    Managed m;
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaStreamSynchronize(m.stream));
    printf("%d\n", m.x[3]);
}

static void managed_event() {
    Managed m;
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaEventRecord(m.event, m.stream));
    twice<<<1, N, 0, m.other>>>(m.y);
    must(cudaEventSynchronize(m.event));
    printf("%d\n", m.x[3]);
}

static void managed_other_block() {
    Managed m;
    twice<<<1, N>>>(m.x);
    m.y[3] = 7;
    printf("%d\n", m.y[3]);
}

static void managed_only_reads() {
    Managed m;
    copy_of<<<1, N>>>(m.x, m.y);
    printf("%d\n", m.y[3]);
}

static void managed_other_half() {
    Managed m;
    twice<<<1, N>>>(m.x);
    m.x[N] = 7;
    printf("%d\n", m.x[N]);
}

static void managed_copied() {
    Managed m;
    int here[N];
    twice<<<1, N>>>(m.x);
    must(cudaMemcpy(here, m.x, BYTES, cudaMemcpyDefault));
    printf("%d %d\n", here[3], m.x[3]);
}

static void look(void *data) {
    printf("%d\n", static_cast<int *>(data)[3]);
}

static void managed_function() {
    Managed m;
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaLaunchHostFunc(m.stream, look, m.x));
    must(cudaStreamSynchronize(m.stream));
}

static void managed_turns() {
    Managed m;
    for (int turn = 0; turn < 3; turn++) {
        m.y[0] = turn;
        copy_of<<<1, N>>>(m.x, m.y);
        must(cudaDeviceSynchronize());
        m.y[1] += m.x[0];
    }
}

static void managed_again() {
    for (int turn = 0; turn < 3; turn++) {
        int *x;
        must(cudaMallocManaged(&x, BYTES));
        memset(x, turn, BYTES);
        twice<<<1, N>>>(x);
        must(cudaFree(x));
    }
}

static void managed_too_early() {
    Managed m;
    twice<<<1, N>>>(m.x);
    printf("%d\n", m.x[3]); // @30
}

static void managed_writes() {
    Managed m;
    fill<<<1, N>>>(m.x, 2);
    m.x[3] = 7; // @31
}

static void managed_being_read() {
    Managed m;
    copy_of<<<1, N>>>(m.x, m.y);
    m.y[3] = 7; // @32
}

static void managed_another_stream() {
    Managed m;
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaStreamSynchronize(m.other));
    printf("%d\n", m.x[3]); // @33
}

static void managed_event_before() {
    Managed m;
    must(cudaEventRecord(m.event, m.stream));
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaEventSynchronize(m.event));
    printf("%d\n", m.x[3]); // @34
}

static void managed_read_after() {
    Managed m;
    twice<<<1, N>>>(m.x);
    copy_of<<<1, N>>>(m.y, m.x);
    printf("%d\n", m.x[3]); // @35
}

static void managed_sum() {
    Managed m;
    add_up<<<1, N>>>(m.x, m.y);
    printf("%d\n", m.x[0]); // @36
}

static void managed_variable() {
    set_total<<<1, 1>>>(5);
    printf("%d\n", total); // @37
    must(cudaDeviceSynchronize());
}

static void managed_next_turn() {
    Managed m;
    for (int turn = 0; turn < 3; turn++) {
        m.y[0] = turn; // @38
        copy_of<<<1, N>>>(m.x, m.y);
    }
}

static void managed_first_of_two() {
    Managed m;
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaEventRecord(m.event, m.stream));
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaEventSynchronize(m.event));
    printf("%d\n", m.x[3]); // @39
}

static void managed_graph() {
    Managed m;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    must(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeRelaxed));
    twice<<<1, N, 0, m.stream>>>(m.x);
    must(cudaStreamEndCapture(m.stream, &graph));
    must(cudaGraphInstantiate(&exec, graph, 0));
    m.x[3] = 5;
    must(cudaGraphLaunch(exec, m.stream));
    printf("%d\n", m.x[3]); // @40
    must(cudaStreamSynchronize(m.stream));
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
}

static void managed_second_page() {
    Managed m;
    fill_second<<<1, N>>>(m.x);
    m.x[3] = 7;
    printf("%d\n", m.x[1024 + 3]); // @41
}

__global__ void raise(volatile int *flag) {
    *flag = 1;
}

__global__ void unless_stopped(const volatile int *stop, int *x) {
    if (!*stop)
        x[threadIdx.x] = 1;
}

static void mapped_waits() {
    Setting s;
    twice<<<1, N, 0, s.stream>>>(s.pinned);
    must(cudaStreamSynchronize(s.stream));
    printf("%d\n", s.pinned[3]);
}

static void mapped_flag() {
    Setting s;
    s.pinned[3] = 0;
    raise<<<1, 1, 0, s.stream>>>(s.pinned + 3);
    printf("%s\n", *(volatile int *)(s.pinned + 3) ? "set" : "not yet");
}

__global__ void send(int *data, volatile int *flag) {
    *data = 9;
    __threadfence_system();
    *flag = 1;
}

__global__ void release(int *data, int *flag) {
    *data = 9;
    asm volatile("st.release.sys.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}

__global__ void send_without_fence(int *data, volatile int *flag) {
    *data = 9;
    *flag = 1;
}

static void wait_for_flag(const int *flag) {
    while (!*(const volatile int *)flag)
        ;
}

static void mapped_message() {
    Setting s;
    s.pinned[3] = s.pinned[7] = 0;
    send<<<1, 1, 0, s.stream>>>(s.pinned + 3, s.pinned + 7);
    wait_for_flag(s.pinned + 7);
    printf("%d\n", s.pinned[3]);
}

static void mapped_release() {
    Setting s;
    s.pinned[3] = s.pinned[7] = 0;
    release<<<1, 1, 0, s.stream>>>(s.pinned + 3, s.pinned + 7);
    wait_for_flag(s.pinned + 7);
    printf("%d\n", s.pinned[3]);
}

static void mapped_message_without_fence() {
    Setting s;
    int *flag; // on another page
    must(cudaMallocHost(&flag, sizeof *flag));
    *flag = 0;
    send_without_fence<<<1, 1, 0, s.stream>>>(s.pinned + 3, flag);
    wait_for_flag(flag);
    printf("%d\n", s.pinned[3]); // @51
    must(cudaFreeHost(flag));
}

static void mapped_stop() {
    Setting s;
    s.pinned[3] = 0;
    unless_stopped<<<1, N, 0, s.stream>>>(s.pinned + 3, s.x);
    *(volatile int *)(s.pinned + 3) = 1;
}

static void mapped_other_half() {
    Setting s;
    twice<<<1, N / 2, 0, s.stream>>>(s.pinned);
    s.pinned[N - 1] = 7;
    printf("%d\n", s.pinned[N / 2]);
}

static void mapped_too_early() {
    Setting s;
    twice<<<1, N, 0, s.stream>>>(s.pinned);
    printf("%d\n", s.pinned[3]); // @46
}

static void mapped_being_read() {
    Setting s;
    copy_of<<<1, N, 0, s.stream>>>(s.x, s.pinned);
    s.pinned[3] = 5; // @47
}

static void mapped_another_stream() {
    Setting s;
    twice<<<1, N, 0, s.stream>>>(s.pinned);
    must(cudaStreamSynchronize(s.other));
    printf("%d\n", s.pinned[3]); // @48
}

struct Pipe {
    int ends[2];
    Pipe() {
        if (pipe(ends) != 0)
            exit(2);
    }
    ~Pipe() {
        close(ends[0]);
        close(ends[1]);
    }
};

static void system_other_half() {
    Managed m;
    Pipe p;
    twice<<<1, N>>>(m.x);
    m.x[1000] = 7;
    if (write(p.ends[1], m.x + 1000, 4) != 4 || read(p.ends[0], m.x + 1001, 4) != 4)
        exit(2);
    printf("%d\n", m.x[1001]);
}

static void system_writes() {
    Managed m;
    FILE *file = fopen("written.bin", "w");
    twice<<<1, N>>>(m.x);
    size_t written = fwrite(m.x, 1, 8192, file); // @53
    fclose(file);
    if (written != 8192)
        exit(2);
}

static void system_reads() {
    Managed m;
    Pipe p;
    int number = 5;
    copy_of<<<1, N>>>(m.y, m.x);
    if (write(p.ends[1], &number, 4) != 4 || read(p.ends[0], m.x, 4) != 4) // @54
        exit(2);
    printf("%d\n", m.x[0]);
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
                             {11, managed_device},
                             {12, managed_stream},
                             {13, managed_event},
                             {14, managed_other_block},
                             {15, managed_only_reads},
                             {16, managed_other_half},
                             {17, managed_copied},
                             {18, managed_function},
                             {19, managed_turns},
                             {20, managed_again},
                             {21, too_early},
                             {22, writes_too_early},
                             {23, being_sent},
                             {24, another_stream},
                             {25, event_before},
                             {26, default_stream},
                             {27, stream_waits},
                             {28, next_turn},
                             {29, waits_before},
                             {30, managed_too_early},
                             {31, managed_writes},
                             {32, managed_being_read},
                             {33, managed_another_stream},
                             {34, managed_event_before},
                             {35, managed_read_after},
                             {36, managed_sum},
                             {37, managed_variable},
                             {38, managed_next_turn},
                             {39, managed_first_of_two},
                             {40, managed_graph},
                             {41, managed_second_page},
                             {42, mapped_waits},
                             {43, mapped_flag},
                             {44, mapped_stop},
                             {45, mapped_other_half},
                             {46, mapped_too_early},
                             {47, mapped_being_read},
                             {48, mapped_another_stream},
                             {49, mapped_message},
                             {50, mapped_release},
                             {51, mapped_message_without_fence},
                             {52, system_other_half},
                             {53, system_writes},
                             {54, system_reads}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
