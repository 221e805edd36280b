// sim --grid 1 --block 16 --shared 192 --arg f64*16=zero
__global__ void k(double *b) {
    extern __shared__ __align__(16) unsigned char raw[];
    double *d = (double *)raw;
    int *n = (int *)(raw + 16 * sizeof(double));
    d[threadIdx.x] = threadIdx.x;
    n[threadIdx.x] = 15 - threadIdx.x;
    __syncthreads();
    b[threadIdx.x] = d[n[threadIdx.x]];
}
