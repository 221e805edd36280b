// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*2=zero
__global__ void k(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        int seen = *flag;
        if (seen)
            out[1] = *data; // HAZARD global-race error
        while (true) {
            int before = atomicCAS(flag, seen, 2);
            if (before == seen)
                break;
            seen = before;
        }
    }
}
