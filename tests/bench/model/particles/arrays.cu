// As records, but the six floats stand in six arrays.
__global__ void move(float *particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int axis = 0; axis < 3; axis++)
        particles[axis * n + i] += dt * particles[(axis + 3) * n + i];
}
