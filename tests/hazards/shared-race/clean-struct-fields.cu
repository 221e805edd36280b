// sim --grid 1 --block 64 --arg i32*64=uninit
struct particle {
    int id;
    short cell, flags;
    float mass;
};
__global__ void k(int *b) {
    __shared__ particle p[64];
    int t = threadIdx.x;
    p[t].id = t;
    p[t].cell = 1;
    p[t].flags = 0;
    p[t].mass = 1;
    __syncthreads();
    p[t].cell = 2;
    b[t] = p[t ^ 32].flags + p[t ^ 32].id;
    __syncthreads();
    b[t] += p[t ^ 32].cell;
}
