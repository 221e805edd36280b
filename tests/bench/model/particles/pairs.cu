// As records, but a thread reads and writes its record in pairs of floats.
__global__ void move(float2 *particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 xy = particles[3 * i], zu = particles[3 * i + 1], vw = particles[3 * i + 2];
    particles[3 * i] = make_float2(xy.x + dt * zu.y, xy.y + dt * vw.x);
    particles[3 * i + 1] = make_float2(zu.x + dt * vw.y, zu.y);
}
