// sim --grid 2 --block 64 --arg f32*512=uniform:const --arg f32*512=uninit --arg i32=128
__global__ void k(const float4 *bodies, float4 *forces, int n) {
    __shared__ float4 tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 me = bodies[i];
    float3 f = {0, 0, 0};
    for (int j = 0; j < n; j += 64) {
        tile[threadIdx.x] = bodies[j + threadIdx.x];
        __syncthreads();
        for (int x = 0; x < 64; x++) {
            float4 o = tile[x];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float w = o.w * r * r * r;
            f.x += w * dx;
            f.y += w * dy;
            f.z += w * dz;
        }
        __syncthreads();
    }
    forces[i] = make_float4(f.x, f.y, f.z, 0);
}
__global__ void check(const float4 *bodies, float4 *forces, int n) {
    for (int i = 0; i < n; i += 13) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double dx = (double)bodies[j].x - bodies[i].x, dy = (double)bodies[j].y - bodies[i].y,
                   dz = (double)bodies[j].z - bodies[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + 0.01;
            sum += bodies[j].w * dx / (r2 * sqrt(r2));
        }
        if (!(fabs(sum - forces[i].x) < 1e-2))
            __trap();
    }
}
