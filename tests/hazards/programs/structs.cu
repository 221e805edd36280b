// sim --grid 1 --block 32 --arg f32*96=iota:const --arg f32*96=uninit
struct vector {
    float x, y, z;
};
struct frame {
    vector rows[3];
};
__device__ __noinline__ vector turn(frame f, vector v) {
    vector r;
    r.x = f.rows[0].x * v.x + f.rows[0].y * v.y + f.rows[0].z * v.z;
    r.y = f.rows[1].x * v.x + f.rows[1].y * v.y + f.rows[1].z * v.z;
    r.z = f.rows[2].x * v.x + f.rows[2].y * v.y + f.rows[2].z * v.z;
    return r;
}
__global__ void k(const vector *in, vector *out) {
    frame f = {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 2}}};
    out[threadIdx.x] = turn(f, in[threadIdx.x]);
}
__global__ void check(const vector *in, vector *out) {
    for (int i = 0; i < 32; i++)
        if (out[i].x != in[i].y || out[i].y != -in[i].x || out[i].z != 2 * in[i].z)
            __trap();
}
