// warpgrade: reduce-shuffle
// straight from the statement
#define BLOCK_SIZE 256
#define ITEMS 4
__global__ void reduce(const float *x, float *out, int n)
{
  // Step 1
  float sum = 0;
  for (int item = 0; item < ITEMS; ++item)
  {
    int i = (blockIdx.x * ITEMS + item) * BLOCK_SIZE + threadIdx.x;
    if (i < n) sum = sum + x[i];
  }
  // Step 2
  unsigned int m = 0xffffffff;
  sum += __shfl_down_sync(m, sum, 16);
  sum += __shfl_down_sync(m, sum, 8);
  sum += __shfl_down_sync(m, sum, 4);
  sum += __shfl_down_sync(m, sum, 2);
  sum += __shfl_down_sync(m, sum, 1);
  // Step 3
  __shared__ float s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  if ((threadIdx.x % 32) == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32)
  {
    sum = s[threadIdx.x];
    sum += __shfl_down_sync(m, sum, 16);
    sum += __shfl_down_sync(m, sum, 8);
    sum += __shfl_down_sync(m, sum, 4);
    sum += __shfl_down_sync(m, sum, 2);
    sum += __shfl_down_sync(m, sum, 1);
  }
  // Step 4
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
