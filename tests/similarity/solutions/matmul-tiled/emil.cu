// warpgrade: matmul-tiled
#define TILE_WIDTH 16
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float4 A[16][4];
    __shared__ float B[16][16];
    int i = threadIdx.y, j = threadIdx.x, dim = tiles << 4;
    float4 sum4 = make_float4(0, 0, 0, 0);
    for (int tile = 0; tile != tiles; ++tile) {
        // a quarter of the threads loads the left tile, four floats each
        if (j < 4)
            A[i][j] = *(const float4 *)&M[(blockIdx.y * 16 + i) * dim + tile * 16 + j * 4];
        B[i][j] = N[(tile * 16 + i) * dim + blockIdx.x * 16 + j];
        __syncthreads();
        for (int k = 0; k < 4; ++k) {
            float4 q = A[i][k];
            sum4.x += q.x * B[4 * k][j];
            sum4.y += q.y * B[4 * k + 1][j];
            sum4.z += q.z * B[4 * k + 2][j];
            sum4.w += q.w * B[4 * k + 3][j];
        }
        __syncthreads();
    }
    P[(blockIdx.y * 16 + i) * dim + blockIdx.x * 16 + j] = sum4.x + sum4.y + sum4.z + sum4.w;
}
