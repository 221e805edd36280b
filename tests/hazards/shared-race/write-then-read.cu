// sim --grid 1 --block 128 --arg i32*128=iota:const --arg i32*128=uninit
// advises `__syncthreads()` between one
// says s[
// says a read
// says a write
// says no barrier orders them
__global__ void k(const int *a, int *b) {
    __shared__ int s[128];
    s[threadIdx.x] = a[threadIdx.x];
    b[threadIdx.x] = s[127 - threadIdx.x]; // HAZARD shared-race error
}
// maybe uninitialized-read
// maybe shared-race
