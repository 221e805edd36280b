// sim --grid 1 --block 64 --arg i32*64=uninit --arg i32*64=uninit
// an exchange is a store where the old value is dropped; who comes second finds what the first left
__global__ void k(int *out, int *old) {
    __shared__ int lock, head;
    int t = threadIdx.x;
    if (t == 0)
        atomicExch(&lock, 0);
    if (t < 32) {
        int before = atomicExch(&head, t);
        if (t)
            old[t] = before;
    }
    __syncthreads();
    if (t == 0)
        old[0] = head + lock;
    if (t >= 32)
        old[t] = lock;
    __syncthreads();
    if (atomicCAS(&lock, 0, 1) == 0)
        old[t] = 1;
    atomicExch(&out[t], 7);
}
