// sim --grid 2 --block 32 --arg 'i32[60]=zero'
// advises the page
// advises never atomic
__global__ void k(int *h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    h[i] += 1; // HAZARD out-of-bounds error
}
