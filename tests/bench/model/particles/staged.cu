// As records, but a block of 256 copies its records through shared memory.
__global__ void move(float *particles, int n, float dt)
{
    __shared__ float records[1536];
    float *own = particles + blockIdx.x * 1536;
    for (int i = threadIdx.x; i < 1536; i += 256)
        records[i] = own[i];
    __syncthreads();
    for (int axis = 0; axis < 3; axis++)
        records[6 * threadIdx.x + axis] += dt * records[6 * threadIdx.x + axis + 3];
    __syncthreads();
    for (int i = threadIdx.x; i < 1536; i += 256)
        own[i] = records[i];
}
