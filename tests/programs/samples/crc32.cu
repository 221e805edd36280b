// Checksums of many messages at once; the table is written on the host into constant memory.
#include "check.h"

#include <cstdint>
#include <vector>

__constant__ uint32_t table[256];

__global__ void crc(const uint8_t *messages, int length, int stride, uint32_t *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t sum = ~0u;
    for (int k = 0; k < length; k++)
        sum = table[(sum ^ messages[size_t(i) * stride + k]) & 0xff] ^ sum >> 8;
    sums[i] = ~sum;
}

int main() {
    uint32_t host_table[256];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        host_table[i] = c;
    }
    CHECK(cudaMemcpyToSymbol(table, host_table, sizeof host_table, 0, cudaMemcpyHostToDevice));
    const int n = 300, length = 9, stride = 12;
    std::vector<uint8_t> messages(n * stride, 0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < length; k++)
            messages[i * stride + k] = uint8_t('1' + k + i);
    uint8_t *d_messages;
    uint32_t *d_sums, sums[n];
    CHECK(cudaMalloc(&d_messages, messages.size()));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemcpy(d_messages, messages.data(), messages.size(), cudaMemcpyHostToDevice));
    crc<<<(n + 63) / 64, 64>>>(d_messages, length, stride, d_sums, n);
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    printf("crc of 123456789: %08x (cbf43926 expected); of the last: %08x\n", sums[0], sums[n - 1]);
    CHECK(cudaFree(d_messages));
    CHECK(cudaFree(d_sums));
    return sums[0] != 0xcbf43926u;
}
