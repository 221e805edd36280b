// sim --grid 2 --block 64 --arg i32*64=iota --arg i32*128=zero
/* Both arms wait for the whole warp, each in a line of its own: from sm_70 on they meet there, and
 * what the one arm wrote before it may be read by the other one after it. */
__device__ __noinline__ void meet(int *s, int value) {
    s[threadIdx.x] = value;
    __syncwarp();
}

__global__ void k(const int *in, int *out) {
    __shared__ int s[64], u[64];
    int t = threadIdx.x, lane = t % 32;
    if (lane < 8) {
        s[t] = in[t];
        __syncwarp();
        out[blockIdx.x * 64 + t] = s[t + 24];
    } else {
        s[t] = in[t] * 2;
        __syncwarp();
        if (lane >= 24)
            out[blockIdx.x * 64 + t] = s[t - 24];
    }
    if (lane & 1)
        meet(u, t);
    else if (lane & 2)
        meet(u, t + 1);
    else {
        u[t] = t + 2;
        __syncwarp();
    }
    out[blockIdx.x * 64 + t] += u[t ^ 3];
}

__global__ void check(const int *in, int *out) {
    for (int t = 0; t < 128; t++) {
        int i = t % 64, lane = i % 32, other = i ^ 3;
        int first = lane < 8 ? in[i + 24] * 2 : lane >= 24 ? in[i - 24] : 0;
        int second = other & 1 ? other : other & 2 ? other + 1 : other + 2;
        if (out[t] != first + second)
            __trap();
    }
}
