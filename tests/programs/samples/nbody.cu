// Bodies that attract each other, positions of a tile in shared memory; energy before and after.
#include "check.h"

#include <cmath>
#include <vector>

const int TILE = 64;

__global__ void move(const float4 *now, float4 *then, float4 *velocity, int n, float dt) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = now[i];
    float3 force = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += TILE) {
        tile[threadIdx.x] = now[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f, inverse = 1.0f / sqrtf(d2);
            float s = tile[j].w * inverse * inverse * inverse;
            force.x += dx * s;
            force.y += dy * s;
            force.z += dz * s;
        }
        __syncthreads();
    }
    float4 v = velocity[i];
    v.x += force.x * dt;
    v.y += force.y * dt;
    v.z += force.z * dt;
    velocity[i] = v;
    then[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

double energy(const std::vector<float4> &p, const std::vector<float4> &v) {
    double sum = 0;
    for (size_t i = 0; i < p.size(); i++) {
        sum += 0.5 * p[i].w * (v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
        for (size_t j = 0; j < i; j++)
            sum -= p[i].w * p[j].w / sqrt(pow(p[i].x - p[j].x, 2) + pow(p[i].y - p[j].y, 2) + pow(p[i].z - p[j].z, 2) + 0.01);
    }
    return sum;
}

int main() {
    const int n = 256, steps = 10;
    std::vector<float4> p(n), v(n, make_float4(0, 0, 0, 0));
    Random random(1);
    for (float4 &body : p)
        body = make_float4(random.uniform() - 0.5f, random.uniform() - 0.5f, random.uniform() - 0.5f, 1.0f / n);
    double before = energy(p, v);
    float4 *d_now, *d_then, *d_velocity;
    size_t bytes = n * sizeof(float4);
    CHECK(cudaMalloc(&d_now, bytes));
    CHECK(cudaMalloc(&d_then, bytes));
    CHECK(cudaMalloc(&d_velocity, bytes));
    CHECK(cudaMemcpy(d_now, p.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_velocity, 0, bytes));
    for (int i = 0; i < steps; i++) {
        move<<<n / TILE, TILE>>>(d_now, d_then, d_velocity, n, 0.01f);
        float4 *t = d_now;
        d_now = d_then;
        d_then = t;
    }
    CHECK(cudaMemcpy(p.data(), d_now, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(v.data(), d_velocity, bytes, cudaMemcpyDeviceToHost));
    printf("energy before %.5f, after %d steps %.3f\n", before, steps, energy(p, v));
    CHECK(cudaFree(d_now));
    CHECK(cudaFree(d_then));
    CHECK(cudaFree(d_velocity));
}
