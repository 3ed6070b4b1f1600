// Loops on several threads: the only place that knows the threading library.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <memory>

namespace catena {

// Threads that share loops. What a loop computes may depend on its index only, never on the number
// of threads: then results are the same bits for any of them.
class ThreadPool {
 public:
  explicit ThreadPool(int threads) : count_(std::max(1, threads)), arena_(count_) {}

  int threads() const { return count_; }

  // f(begin, end) over chunks of 0 .. n; in the calling thread where that is faster.
  template <class F>
  void forChunks(int n, int chunk, const F& f) {
    constexpr int parallelFrom = 256;
    if (count_ == 1 || n < parallelFrom || n <= chunk) {
      if (n > 0) f(0, n);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<int>(0, n, chunk),
                        [&](const tbb::blocked_range<int>& r) { f(r.begin(), r.end()); });
    });
  }

  // f(i) for i = 0 .. n - 1, each one a task.
  template <class F>
  void forEach(int n, const F& f) {
    if (count_ == 1 || n < 2) {
      for (int i = 0; i < n; ++i) f(i);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(0, n, 1),
          [&](const tbb::blocked_range<int>& r) {
            for (int i = r.begin(); i < r.end(); ++i) f(i);
          },
          tbb::simple_partitioner());
    });
  }

  // f(begin, count) over parts of vectors of size n.
  template <class F>
  void forParts(int n, const F& f) {
    forChunks(n, smallestPart, [&](int begin, int end) { f(begin, end - begin); });
  }

  // Sum of f(begin, count) over parts of vectors of size n: parts that depend on n alone, added in
  // their order.
  template <class F>
  auto sumOverParts(int n, const F& f) {
    constexpr int mostParts = 64;
    const int size = std::max(smallestPart, (n + mostParts - 1) / mostParts);
    if (n <= size) return f(0, n);
    std::array<decltype(f(0, 0)), mostParts> part{};
    const int parts = (n + size - 1) / size;
    forEach(parts, [&](int i) { part[i] = f(i * size, std::min(size, n - i * size)); });
    for (int i = 1; i < parts; ++i) part[0] += part[i];
    return part[0];
  }

 private:
  static constexpr int smallestPart = 4096;

  int count_;
  tbb::task_arena arena_;
};

}  // namespace catena
