// sim --grid 1 --block 32 --arg i32*32=uninit
struct B {
    unsigned a : 5, b : 11, c : 16;
};
__global__ void k(int *o) {
    __shared__ B s[32];
    int x = threadIdx.x;
    s[x].a = x;
    s[x].b = 3;
    __syncwarp();
    o[x] = s[31 - x].a + s[31 - x].c; // HAZARD uninitialized-read error
}
