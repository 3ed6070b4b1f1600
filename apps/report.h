// What is told at the end of a run.
#pragma once

#include "model/main_system.h"

namespace catena {

// Statistics, phase times and the last values of the sensors, to standard output.
void printReport(const MainSystem& system, const SolveReport& report);
// Sizes of the model, before the run.
void printSizes(const MainSystem& system);

}  // namespace catena
