// sim --grid 2 --block 32 --device-debug --arg i32*33=iota --arg i32=32
// each call of one function of the toolkit has its own line
__global__ void k(int *a, int n) {
    atomicAdd(&a[threadIdx.x], 1);
    atomicAdd(&a[threadIdx.x + 1], 2);
    atomicAdd(&a[threadIdx.x + n], 3); // HAZARD out-of-bounds error
    atomicMax(&a[n - threadIdx.x - 1], 3);
    atomicMax(&a[n + threadIdx.x + 1], 3); // HAZARD out-of-bounds error
}
