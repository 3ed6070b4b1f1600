// Direct solver for mechanisms: multifrontal elimination of nodes together with the joints that
// they complete.
//
// Unknowns come in blocks: the coordinates of a node, the multipliers of a joint. Nodes are
// eliminated in an order with little fill, by minimum degree or nested dissection, whichever takes
// fewer operations; the multipliers of a joint together with the last of its nodes
// (elimination_order.h). Everything that a joint acts on is
// then in the front or below it, hence with masses that are positive definite
//
//   a pivot of a multiplier vanishes  <=>  its constraint depends on those eliminated before,
//
// whatever loops there are. Such redundant rows are left out: their multipliers keep their values,
// and the others carry the load. Fronts are dense and factorized with row pivoting among their own
// pivots. (Multifrontal elimination: I. Duff, J. Reid, ACM Trans. Math. Softw. 9 (1983).)
#pragma once

#include <memory>

#include "kernels/linear_solver.h"
#include "kernels/parallel.h"

namespace catena {

// nullptr if the blocks do not allow it: multipliers that act on multipliers, large blocks that are
// sparse inside.
std::unique_ptr<LinearSolver> makeMultifrontalSolver(const CscMatrix& matrix,
                                                     const BlockStructure& blocks,
                                                     std::shared_ptr<ThreadPool> pool);

}  // namespace catena
