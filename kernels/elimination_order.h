// Order of elimination for saddle-point systems with loops.
#pragma once

#include <vector>

#include "kernels/linear_solver.h"

namespace catena {

// The blocks that each block is coupled to, both ways, without itself.
struct BlockGraph {
  std::vector<int> start, neighbour;
};
BlockGraph makeBlockGraph(const CscMatrix& matrix, const BlockStructure& blocks);

// Unknowns in an order with little fill in which diagonal pivots are regular: every joint that can
// be paired with a node of its own is eliminated right after that node; the graph of pairs is
// ordered by approximate minimum degree (P. Amestoy, T. Davis, I. Duff, SIAM J. Matrix Anal. 17
// (1996)).
std::vector<int> eliminationOrder(const CscMatrix& matrix, const BlockStructure& blocks);

}  // namespace catena
