#include "tests/allocations.h"

#include <cstdlib>  // defines __GLIBC__

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <execinfo.h>
#include <unistd.h>

#include <atomic>

namespace {

constexpr int kept = 6, depth = 24;
std::atomic<bool> counting{false};
std::atomic<long long> count{0};
std::atomic<std::size_t> bytes{0};
void* stacks[kept][depth];
int depths[kept];
thread_local bool inside = false;  // backtrace() may allocate

void record(std::size_t size) {
  if (!counting.load(std::memory_order_relaxed) || inside) return;
  inside = true;
  bytes += size;
  if (const long long n = count++; n < kept) depths[n] = backtrace(stacks[n], depth);
  inside = false;
}

}  // namespace

// The program's own malloc comes before that of the C library, which keeps the memory.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

__attribute__((visibility("default"))) void* malloc(std::size_t size) {
  record(size);
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t n, std::size_t size) {
  record(n * size);
  return __libc_calloc(n, size);
}
__attribute__((visibility("default"))) void* realloc(void* p, std::size_t size) {
  record(size);
  return __libc_realloc(p, size);
}
__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment,
                                                           std::size_t size) {
  record(size);
  return __libc_memalign(alignment, size);
}
}

namespace catena::test {

void countAllocations(bool on) {
  if (on) {
    void* warm[2];
    backtrace(warm, 2);  // loads the unwinder
    count = 0;
    bytes = 0;
  }
  counting = on;
}
AllocationCount allocationsCounted() { return {count, bytes}; }
void printFirstAllocations() {
  for (int i = 0; i < kept && i < count; ++i) {
    backtrace_symbols_fd(stacks[i], depths[i], STDERR_FILENO);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, "\n", 1);
  }
}

}  // namespace catena::test

#else

namespace catena::test {
void countAllocations(bool) {}
AllocationCount allocationsCounted() { return {}; }
void printFirstAllocations() {}
}  // namespace catena::test

#endif
