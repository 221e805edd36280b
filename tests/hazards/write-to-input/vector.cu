// sim --grid 1 --block 8 --arg f32*32=iota:const
__global__ void k(float4 *a) {
    a[threadIdx.x] = make_float4(1, 2, 3, 4); // HAZARD write-to-input error
}
