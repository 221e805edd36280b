// sim --kernel ranks --grid 2 --block 64 --arg i32*2=zero --arch compute_90
// expect unsupported error
// says clusters of more than one block cannot be simulated
// advises clusters of one block
__global__ void __cluster_dims__(2, 1, 1) ranks(int *out) {
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}
