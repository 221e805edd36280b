// As tile, but a block makes 64 times 64 elements and a thread four times four; tiles stand in shared memory
// with their words of one place side by side. n is a multiple of 64, k of 32.
__global__ void multiply(const int *a, const int *b, int *c, int n, int k)
{
    __shared__ int rows[8][68], columns[8][68];
    int words = k / 4, thread = threadIdx.y * 16 + threadIdx.x, total[4][4] = {};
    for (int begin = 0; begin < words; begin += 8) {
        for (int i = thread; i < 512; i += 256) {
            rows[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * words + begin + i % 8];
            columns[i % 8][i / 8] = b[(blockIdx.x * 64 + i / 8) * words + begin + i % 8];
        }
        __syncthreads();
#pragma unroll
        for (int place = 0; place < 8; place++) {
            int4 down = *(const int4 *)&rows[place][threadIdx.y * 4];
            int4 along = *(const int4 *)&columns[place][threadIdx.x * 4];
            int left[4] = {down.x, down.y, down.z, down.w}, right[4] = {along.x, along.y, along.z, along.w};
#pragma unroll
            for (int i = 0; i < 16; i++)
                total[i / 4][i % 4] = __dp4a(left[i / 4], right[i % 4], total[i / 4][i % 4]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(int4 *)&c[(blockIdx.y * 64 + threadIdx.y * 4 + i) * n + blockIdx.x * 64 + threadIdx.x * 4] =
            make_int4(total[i][0], total[i][1], total[i][2], total[i][3]);
}
