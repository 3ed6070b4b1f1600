// Order of elimination for saddle-point systems of nodes and joints.
//
// A joint is eliminated after the last of its nodes: with masses that are positive definite its
// pivots are then regular whatever loops there are, unless its constraints are redundant.
#pragma once

#include <vector>

#include "kernels/linear_solver.h"

namespace catena {

// The blocks that each block is coupled to, both ways, without itself.
struct BlockGraph {
  std::vector<int> start, neighbour;
};
BlockGraph makeBlockGraph(const CscMatrix& matrix, const BlockStructure& blocks);

// Approximate minimum degree (P. Amestoy, T. Davis, I. Duff, SIAM J. Matrix Anal. 17 (1996)) or
// nested dissection (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998)).
enum class GraphOrdering { minimumDegree, nestedDissection };

// Nodes, and multipliers that act on none, in an order with little fill. Those that hang on one
// other are taken first, round by round, so that a tree is rooted in its middle. With parts > 1
// nodes between parts of trees follow all others of their tree: the parts can be eliminated at the
// same time, but carry the unknowns of such a node along.
struct NodeOrder {
  std::vector<int> nodes;
  std::vector<char> isCut;  // per block: between parts
  bool hasLoops = false;    // and the ordering matters
};
NodeOrder orderNodes(const BlockGraph& graph, const BlockStructure& blocks, GraphOrdering ordering,
                     int parts = 1);

// For each block the place in that order with which it is eliminated; -1 for multipliers that act
// on multipliers only. A joint goes with the last of its nodes, or, if early is allowed and that
// makes less fill, with a node that has no other joint before and is not cut off from the next one.
std::vector<int> eliminationStages(const BlockGraph& graph, const BlockStructure& blocks,
                                   const NodeOrder& order, bool early);

// The order of all unknowns, by minimum degree, for solvers that use one thread.
std::vector<int> eliminationOrder(const CscMatrix& matrix, const BlockStructure& blocks,
                                  bool early);

}  // namespace catena
