// sim --grid 1 --block 64 --arg i32*1=zero
__global__ void k(int *count) {
    (*count)++; // HAZARD global-race error
}
