// y = A x for a sparse matrix (CSR): a thread for each row, then a warp for each row.
#include "check.h"

#include <cmath>
#include <vector>

__global__ void scalar(int rows, const int *begin, const int *column, const double *value, const double *x, double *y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        double sum = 0;
        for (int k = begin[r]; k < begin[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

__global__ void vector(int rows, const int *begin, const int *column, const double *value, const double *x, double *y) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows)
        return;
    double sum = 0;
    for (int k = begin[r] + lane; k < begin[r + 1]; k += 32)
        sum += value[k] * __ldg(&x[column[k]]);
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[r] = sum;
}

template <typename T> T *upload(const std::vector<T> &data) {
    T *d;
    CHECK(cudaMalloc(&d, data.size() * sizeof(T)));
    CHECK(cudaMemcpy(d, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

int main() {
    const int rows = 1000;
    std::vector<int> begin(1, 0), column;
    std::vector<double> value, x(rows), y(rows);
    Random random(77);
    for (int r = 0; r < rows; r++) {
        for (unsigned k = r % 50 == 7 ? 0 : 1 + random.below(r % 100 == 0 ? 200 : 12); k > 0; k--) {
            column.push_back(random.below(rows));
            value.push_back(int(random.below(17)) - 8);
        }
        begin.push_back(int(column.size()));
        x[r] = random.below(100) / 4.0;
    }
    int *d_begin = upload(begin), *d_column = upload(column);
    double *d_value = upload(value), *d_x = upload(x), *d_y = upload(y);
    for (int way = 0; way < 2; way++) {
        CHECK(cudaMemset(d_y, 0xff, rows * sizeof(double)));
        if (way == 0)
            scalar<<<(rows + 127) / 128, 128>>>(rows, d_begin, d_column, d_value, d_x, d_y);
        else
            vector<<<(rows * 32 + 127) / 128, 128>>>(rows, d_begin, d_column, d_value, d_x, d_y);
        CHECK(cudaMemcpy(y.data(), d_y, rows * sizeof(double), cudaMemcpyDeviceToHost));
        int wrong = 0;
        double sum = 0;
        for (int r = 0; r < rows; r++) {
            double expected = 0;
            for (int k = begin[r]; k < begin[r + 1]; k++)
                expected += value[k] * x[column[k]];
            wrong += y[r] != expected; // all are multiples of 1/4, so that no order rounds
            sum += y[r];
        }
        printf("%s: %d of %d rows wrong, sum %.2f\n", way ? "a warp a row" : "a thread a row", wrong, rows, sum);
    }
    void *all[] = {d_begin, d_column, d_value, d_x, d_y};
    for (void *d : all)
        CHECK(cudaFree(d));
}
