// Twenty-five of Thrust's algorithms on vectors of the device and managed ones.
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
struct Sq {
    __host__ __device__ double operator()(double x) const {
        return x * x;
    }
};
struct Odd {
    __host__ __device__ bool operator()(int x) const {
        return x & 1;
    }
};
struct Mod {
    __host__ __device__ int operator()(int x) const {
        return x % 10;
    }
};
struct Axpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const {
        return a * x + y;
    }
};
struct Rnd {
    __host__ __device__ float operator()(unsigned i) const {
        thrust::default_random_engine g;
        thrust::uniform_real_distribution<float> u(0, 1);
        g.discard(i);
        float x = u(g), y = u(g);
        return x * x + y * y < 1;
    }
};
struct Zip {
    template <class T> __host__ __device__ void operator()(T t) const {
        thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
    }
};
struct Key {
    int a;
    float b;
};
struct ByB {
    __host__ __device__ bool operator()(const Key &x, const Key &y) const {
        return x.b < y.b;
    }
};
template <class V> void show(const char *n, const V &v, size_t k = 6) {
    printf("%s:", n);
    for (size_t i = 0; i < k && i < v.size(); i++)
        printf(" %g", (double)v[i]);
    printf("\n");
}
int main() {
    const int n = 5000;
    thrust::device_vector<int> d(n), keys(n), vals(n), out(n), out2(n);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                      d.begin(), Mod());
    show("mod", d);
    thrust::sequence(vals.begin(), vals.end());
    keys = d;
    thrust::sort_by_key(keys.begin(), keys.end(), vals.begin());
    show("sbk", vals);
    auto e =
        thrust::reduce_by_key(keys.begin(), keys.end(), vals.begin(), out.begin(), out2.begin());
    printf("rbk %d\n", (int)(e.first - out.begin()));
    show("rbk", out2);
    auto u = thrust::unique(keys.begin(), keys.end());
    printf("unique %d\n", (int)(u - keys.begin()));
    auto c = thrust::copy_if(d.begin(), d.end(), out.begin(), Odd());
    printf("copy_if %d\n", (int)(c - out.begin()));
    printf("count %d %d\n", (int)thrust::count(d.begin(), d.end(), 3),
           (int)thrust::count_if(d.begin(), d.end(), Odd()));
    thrust::device_vector<int> p = d;
    auto m = thrust::partition(p.begin(), p.end(), Odd());
    printf("part %d\n", (int)(m - p.begin()));
    auto r = thrust::remove_if(p.begin(), p.end(), Odd());
    printf("rem %d\n", (int)(r - p.begin()));
    thrust::device_vector<double> x(n);
    thrust::sequence(x.begin(), x.end());
    printf("tr %g ip %g\n",
           thrust::transform_reduce(x.begin(), x.end(), Sq(), 0.0, thrust::plus<double>()),
           thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    auto mm = thrust::minmax_element(x.begin(), x.end());
    printf("minmax %g %g\n", (double)*mm.first, (double)*mm.second);
    thrust::exclusive_scan(d.begin(), d.end(), out.begin());
    show("xscan", out);
    thrust::adjacent_difference(out.begin(), out.end(), out2.begin());
    show("adj", out2);
    thrust::device_vector<float> fx(n, 1.5f), fy(n, 2.f);
    thrust::transform(fx.begin(), fx.end(), fy.begin(), fy.begin(), Axpy{2.f});
    show("axpy", fy, 2);
    printf("pi %g\n", 4.0 *
                          thrust::transform_reduce(thrust::counting_iterator<unsigned>(0),
                                                   thrust::counting_iterator<unsigned>(2000), Rnd(),
                                                   0.f, thrust::plus<float>()) /
                          2000);
    thrust::for_each(
        thrust::make_zip_iterator(thrust::make_tuple(fx.begin(), fy.begin(), x.begin())),
        thrust::make_zip_iterator(thrust::make_tuple(fx.end(), fy.end(), x.end())), Zip());
    show("zip", x, 2);
    thrust::universal_vector<int> uv(100, 7);
    uv[3] = 1;
    thrust::sort(thrust::device, uv.begin(), uv.end());
    cudaDeviceSynchronize();
    printf("universal %d %d\n", uv[0], uv[99]);
    thrust::device_vector<Key> ks(1000);
    thrust::host_vector<Key> hk(1000);
    for (int i = 0; i < 1000; i++)
        hk[i] = {i, (float)((i * 37) % 1000)};
    ks = hk;
    thrust::stable_sort(ks.begin(), ks.end(), ByB());
    hk = ks;
    printf("ssort %d %g %d\n", hk[1].a, hk[1].b, hk[999].a);
    thrust::device_vector<int> a(100), b(100), mg(200);
    thrust::sequence(a.begin(), a.end(), 0, 2);
    thrust::sequence(b.begin(), b.end(), 0, 3);
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), mg.begin());
    show("merge", mg);
    auto si = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), mg.begin());
    printf("inter %d\n", (int)(si - mg.begin()));
    thrust::lower_bound(a.begin(), a.end(), b.begin(), b.end(), mg.begin());
    show("lb", mg);
    thrust::gather(b.begin(), b.begin() + 30, a.begin(), mg.begin());
    show("gather", mg);
    thrust::scatter(a.begin(), a.begin() + 10, b.begin(), mg.begin());
    thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
    show("desc", d, 3);
    thrust::fill(d.begin(), d.end(), 4);
    printf("reduce %d max %d\n", thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()),
           thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()));

    try {
        thrust::device_vector<char> big(1ull << 45);
    } catch (std::exception &ex) {
        printf("caught %d\n", 1);
    }
}
