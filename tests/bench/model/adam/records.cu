// As plain, but a weight, its mean, its square and its slope stand side by side.
struct parameter {
    float weight, mean, square, slope;
};

__global__ void update(parameter *parameters, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    parameter *p = &parameters[i];
    p->mean = 0.9f * p->mean + 0.1f * p->slope;
    p->square = 0.999f * fabsf(p->square) + 0.001f * p->slope * p->slope;
    float mean = p->mean / (1.0f - powf(0.9f, (float)step));
    float square = p->square / (1.0f - powf(0.999f, (float)step));
    p->weight -= 0.001f * mean / (sqrtf(square) + 1e-8f);
}
