// sim --grid 6 --block 64 --arg i32*384=iota:const --arg i32*384=uninit --arg i32*6=zero --arg i32*6=uninit --arg i32*6=uninit
#include <cuda/atomic>
__global__ void k(const int *a, int *out, int *state, int *sums, int *prefixes) {
    __shared__ int s[64], before;
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = a[64 * b + t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    cuda::atomic_ref<int, cuda::thread_scope_device> own(state[b]);
    if (t == 0) {
        sums[b] = s[63];
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        own.store(1, cuda::memory_order_relaxed);
        int sum = 0;
        for (int i = b - 1; i >= 0; i--) {
            cuda::atomic_ref<int, cuda::thread_scope_device> other(state[i]);
            int seen;
            while ((seen = other.load(cuda::memory_order_acquire)) == 0)
                ;
            sum += seen == 2 ? prefixes[i] : sums[i];
            if (seen == 2)
                break;
        }
        before = sum;
        prefixes[b] = sum + s[63];
        own.store(2, cuda::memory_order_release);
    }
    __threadfence_block();
    __syncthreads();
    out[64 * b + t] = before + s[t];
}
__global__ void check(const int *a, int *out, int *state, int *sums, int *prefixes) {
    int sum = 0;
    for (int i = 0; i < 384; i++) {
        sum += a[i];
        if (out[i] != sum)
            __trap();
    }
}
