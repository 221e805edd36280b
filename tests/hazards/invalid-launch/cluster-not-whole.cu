// sim --kernel ranks --grid 3 --block 64 --arg i32*3=zero --arch compute_90
// expect invalid-launch error
// says must be a multiple of the cluster's
// advises multiple of `__cluster_dims__`
__global__ void __cluster_dims__(2, 1, 1) ranks(int *out) {
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}
