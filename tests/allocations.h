// Counts the heap allocations of the program while a counter is on.
#pragma once

#include <cstddef>

namespace catena::test {

// All allocations are seen: operator new, Eigen's, those of C libraries. Under sanitizers, which
// bring their own malloc, and with other C libraries than glibc nothing can be counted.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr bool allocationsAreCounted = true;
#else
inline constexpr bool allocationsAreCounted = false;
#endif

void countAllocations(bool on);
struct AllocationCount {
  long long count = 0;
  std::size_t bytes = 0;
};
AllocationCount allocationsCounted();
// Call stacks of the first few, one line per frame, for the message of a failing test; the
// addresses are for addr2line.
void printFirstAllocations();

}  // namespace catena::test
