// What the lanes of a warp can tell each other: shuffles, votes, matches, reductions, masks.
#include "check.h"

__global__ void functions(unsigned *out) {
    unsigned lane = threadIdx.x, all = 0xffffffff, *mine = out + lane * 12;
    mine[0] = __shfl_sync(all, lane * 3, (lane + 5) % 32);
    mine[1] = __shfl_up_sync(all, lane, 3);
    mine[2] = __shfl_down_sync(all, lane, 7, 16);
    mine[3] = __shfl_xor_sync(all, lane, 21);
    mine[4] = __ballot_sync(all, lane % 3 == 0);
    mine[5] = __all_sync(all, lane < 40) * 2 + __any_sync(all, lane == 31);
    mine[6] = __match_any_sync(all, lane / 5);
    int same = 0;
    __match_all_sync(all, 7, &same);
    mine[7] = same;
    mine[8] = __reduce_max_sync(all, lane ^ 9);
    mine[9] = __popc(lane) + __clz(lane) * 100 + __ffs(lane) * 10000;
    mine[10] = __brev(lane) ^ __byte_perm(lane, 0x12345678, 0x5410);
    if (lane % 2)
        mine[11] = __activemask() & 0xaaaaaaaa;
    else
        mine[11] = __shfl_sync(0x55555555, lane, 4);
}

int main() {
    unsigned *d, h[32 * 12];
    CHECK(cudaMalloc(&d, sizeof h));
    functions<<<1, 32>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int lane : {0, 1, 13, 31}) {
        printf("lane %2d:", lane);
        for (int i = 0; i < 12; i++)
            printf(" %x", h[lane * 12 + i]);
        printf("\n");
    }
    printf("all: %016llx\n", checksum(h, sizeof h));
    CHECK(cudaFree(d));
}
