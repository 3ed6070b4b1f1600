// The mechanism that all benchmarks run on: the chain of rigid bodies of examples/chain.json, of
// any length.
#pragma once

#include <string>

#include "model/main_system.h"

namespace catena::bench {

// Threads that evaluation uses; set by --threads=N.
extern int threads;

inline constexpr long long sizes[] = {100, 1'000, 10'000, 100'000};

// The assembled chain; nodes is a node type. The last one is kept, so asking again for the same is
// free.
MainSystem& chain(long long bodies, const std::string& nodes);

// Puts the chain in a state of motion: positions of the reference configuration, velocities,
// accelerations and multipliers that are not zero anywhere.
void setMoving(System& system);

// The variation of a step of 1 ms with spectral radius 0.8.
Variation stepVariation();

}  // namespace catena::bench
