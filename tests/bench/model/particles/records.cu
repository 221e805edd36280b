// Particles of six floats (place and speed) move one step: a thread a record of 24 bytes.
__global__ void move(float *particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *own = particles + 6 * i;
    for (int axis = 0; axis < 3; axis++)
        own[axis] += dt * own[axis + 3];
}
