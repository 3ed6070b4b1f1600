// Direct solver for mechanisms without kinematic loops: block elimination from the leaves to the
// ground.
//
// Unknowns come in blocks: the coordinates of a node, the multipliers of a joint. Every joint is
// paired with one of its nodes, the outer one, and the pair is eliminated together: the pivot [M
// C^T; C 0] is regular although its lower right part is zero, and is factorized densely with row
// pivoting inside the pair. In the tree of pairs each front couples to the next body only, so there
// is no fill and the cost grows linearly with the number of bodies. (Multifrontal elimination: I.
// Duff, J. Reid, ACM Trans. Math. Softw. 9 (1983).)
#pragma once

#include <memory>

#include "kernels/linear_solver.h"

namespace catena {

// nullptr if the blocks cannot be paired: the joints close loops, or a joint has more equations
// than its node unknowns.
std::unique_ptr<LinearSolver> makeTreeSolver(const CscMatrix& matrix, const BlockStructure& blocks);

}  // namespace catena
