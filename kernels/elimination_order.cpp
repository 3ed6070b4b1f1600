#include "kernels/elimination_order.h"

#include <amd.h>

#include <algorithm>
#include <stdexcept>

namespace catena {
namespace {

// The pair that each block belongs to: joints join a neighbouring node with enough unknowns that no
// other joint has taken, along augmenting paths so that as many as possible find one.
class Pairing {
 public:
  Pairing(const BlockGraph& graph, const BlockStructure& blocks)
      : graph_(graph), blocks_(blocks), jointOf_(blocks.count(), -1), visited_(blocks.count(), -1) {
    for (int b = 0; b < blocks.count(); ++b)
      if (blocks.isMultiplier[b]) augment(b, b);
  }
  int jointOf(int node) const { return jointOf_[node]; }

 private:
  static constexpr int longestPath = 200;

  int sizeOf(int b) const { return blocks_.start[b + 1] - blocks_.start[b]; }
  bool augment(int joint, int round, int depth = 0) {
    if (depth > longestPath) return false;
    for (const bool onlyFree : {true, false})
      for (int k = graph_.start[joint]; k < graph_.start[joint + 1]; ++k) {
        const int node = graph_.neighbour[k];
        if (blocks_.isMultiplier[node] || sizeOf(node) < sizeOf(joint)) continue;
        if (onlyFree) {
          if (jointOf_[node] >= 0) continue;
        } else {
          if (visited_[node] == round) continue;
          visited_[node] = round;
          if (jointOf_[node] >= 0 && !augment(jointOf_[node], round, depth + 1)) continue;
        }
        jointOf_[node] = joint;
        return true;
      }
    return false;
  }

  const BlockGraph& graph_;
  const BlockStructure& blocks_;
  std::vector<int> jointOf_, visited_;
};

}  // namespace

BlockGraph makeBlockGraph(const CscMatrix& a, const BlockStructure& blocks) {
  std::vector<int> blockOf(a.size);
  for (int b = 0; b < blocks.count(); ++b)
    for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) blockOf[i] = b;
  std::vector<std::pair<int, int>> edges;
  for (int j = 0; j < a.size; ++j) {
    int last = -1;
    for (int k = a.columnStart[j]; k < a.columnStart[j + 1]; ++k) {
      const int other = blockOf[a.rowIndex[k]];
      if (other == blockOf[j] || other == last) continue;
      last = other;
      edges.emplace_back(blockOf[j], other);
      edges.emplace_back(other, blockOf[j]);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  BlockGraph g;
  g.start.assign(blocks.count() + 1, 0);
  for (const auto& [from, to] : edges) ++g.start[from + 1], g.neighbour.push_back(to);
  for (int b = 0; b < blocks.count(); ++b) g.start[b + 1] += g.start[b];
  return g;
}

std::vector<int> eliminationOrder(const CscMatrix& a, const BlockStructure& blocks) {
  const BlockGraph graph = makeBlockGraph(a, blocks);
  const Pairing pairing(graph, blocks);
  // number the pairs
  std::vector<int> pairOf(blocks.count(), -1);
  std::vector<std::vector<int>> members;
  for (int b = 0; b < blocks.count(); ++b) {
    if (blocks.isMultiplier[b]) continue;
    pairOf[b] = static_cast<int>(members.size());
    members.push_back({b});
    if (const int joint = pairing.jointOf(b); joint >= 0) {
      pairOf[joint] = pairOf[b];
      members.back().push_back(joint);
    }
  }
  for (int b = 0; b < blocks.count(); ++b)
    if (pairOf[b] < 0) pairOf[b] = static_cast<int>(members.size()), members.push_back({b});

  std::vector<int> start{0}, neighbour, order(members.size());
  for (const auto& pair : members) {
    const auto first = neighbour.size();
    for (const int b : pair)
      for (int k = graph.start[b]; k < graph.start[b + 1]; ++k)
        neighbour.push_back(pairOf[graph.neighbour[k]]);
    std::sort(neighbour.begin() + first, neighbour.end());
    neighbour.erase(std::unique(neighbour.begin() + first, neighbour.end()), neighbour.end());
    start.push_back(static_cast<int>(neighbour.size()));
  }
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = static_cast<int>(p);
  if (!neighbour.empty() && amd_order(static_cast<int>(members.size()), start.data(),
                                      neighbour.data(), order.data(), nullptr, nullptr) < 0)
    throw std::runtime_error("AMD: ordering failed (out of memory)");
  std::vector<int> unknowns;
  for (const int p : order)
    for (const int b : members[p])
      for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) unknowns.push_back(i);
  return unknowns;
}

}  // namespace catena
