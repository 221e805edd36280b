// Thrust: vectors, transform, reduce, sort, scan, unique, and a functor of the program's own.
#include "check.h"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main() {
    const int n = 2000;
    thrust::host_vector<int> h(n);
    Random random(2);
    for (int &x : h)
        x = random.below(300);
    thrust::device_vector<int> d = h;
    printf("sum %d, largest %d, odd %d\n", thrust::reduce(d.begin(), d.end()),
           thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()),
           int(thrust::count_if(d.begin(), d.end(), IsOdd())));
    thrust::sort(d.begin(), d.end());
    thrust::device_vector<int> sums(n);
    thrust::inclusive_scan(d.begin(), d.end(), sums.begin());
    d.erase(thrust::unique(d.begin(), d.end()), d.end());
    printf("different %d, last %d, sum of all again %d\n", int(d.size()), int(d.back()), int(sums.back()));
    thrust::device_vector<float> x(n), y(n, 1.0f);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2.0f});
    printf("y[10] = %g, y[%d] = %g\n", float(y[10]), n - 1, float(y[n - 1]));
    thrust::device_vector<int> keys(n), values(n);
    thrust::sequence(values.begin(), values.end());
    thrust::copy(h.begin(), h.end(), keys.begin());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<int>());
    printf("largest key %d, first at %d\n", int(keys[0]), int(values[0]));
}
