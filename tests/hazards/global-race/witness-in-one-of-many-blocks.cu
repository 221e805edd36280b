// sim --grid 64 --block 256 --arg 'i32*16384=iota' --arg 'i32*1=zero' --arg i32=32
// One block alone races, among many that do nothing: who is named does not depend on how many host
// threads share the blocks.
extern "C" __global__ void k(const int* x, int* top, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        if (x[i] % 3 == 1)
            *top = max(*top, x[i]); // HAZARD global-race error
}
