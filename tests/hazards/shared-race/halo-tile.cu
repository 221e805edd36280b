// sim --grid 2,2 --block 16,16 --arg f32*1024=uniform:const --arg f32*1024=uninit
// says t[
__global__ void k(const float *a, float *b) {
    __shared__ float t[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    auto at = [&](int i, int j) { return i < 0 || j < 0 || i > 31 || j > 31 ? 0.f : a[i * 32 + j]; };
    t[ly][lx] = at(y, x);
    if (threadIdx.x == 0) {
        t[ly][0] = at(y, x - 1);
        t[ly][17] = at(y, x + 16);
    }
    __syncthreads();
    if (threadIdx.y == 0) {
        t[0][lx] = at(y - 1, x);
        t[17][lx] = at(y + 16, x); // HAZARD shared-race error
    }
    b[y * 32 + x] = t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx];
}
// maybe uninitialized-read
// maybe shared-race
