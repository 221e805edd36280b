// sim --device-debug --kernel give_up --grid 1 --block 32 --arg i32*4=zero
// Polls that end by themselves: by a count, by a deadline, by a longer and longer sleep. Their state
// is in local memory, and is read before it is written.
__device__ volatile int never;

struct backoff {
    unsigned nanoseconds, trips;
};

__device__ bool wait_longer(backoff *state) {
    __nanosleep(state->nanoseconds);
    state->nanoseconds = state->nanoseconds < 4096 ? state->nanoseconds * 2 : 4096;
    return ++state->trips < 3000;
}

__global__ void give_up(int *out) {
    if (threadIdx.x)
        return;
    int trips = 0;
    while (!never && trips < 5000)
        trips++;
    out[0] = trips;
    long long start = clock64(), now;
    do
        now = clock64();
    while (!never && now - start < 300000);
    out[1] = now - start >= 300000;
    backoff state = {8, 0};
    while (!never && wait_longer(&state))
        ;
    out[2] = state.trips;
    unsigned long long last = 0, changes = 0;
    while (!never && changes < 4000) { // counts through what it remembers of the round before
        unsigned long long next = last * 3 + 1;
        changes += next != last;
        last = next;
    }
    out[3] = changes;
}

__global__ void check(const int *out) {
    if (out[0] != 5000 || out[1] != 1 || out[2] != 3000 || out[3] != 4000)
        __trap();
}
