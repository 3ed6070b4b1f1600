// Solver for matrices that are nearly symmetric: L D L^T of the symmetric part by CHOLMOD, and
// refinement against the matrix itself.
//
// Rows of multipliers are scaled so that constraints and their forces match. The order of
// elimination pairs every joint with a node, so that pivots exist without search (static pivots);
// what they and the unsymmetric part (gyroscopic terms, friction, following forces) lack, the
// refinement makes up, or the factors are given up. Y. Chen, T. Davis, W. Hager, S. Rajamanickam,
// ACM Trans. Math. Softw. 35 (2008).
#pragma once

#include <memory>

#include "kernels/linear_solver.h"

namespace catena {

// Redundant constraints have no pivots here: factor() or the refinement fails, and after a solve()
// that failed so does the next factor(). Throws std::invalid_argument if the program was built
// without CHOLMOD.
std::unique_ptr<LinearSolver> makeCholmodSolver(const BlockStructure& blocks);

}  // namespace catena
