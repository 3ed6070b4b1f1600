#include "kernels/elimination_order.h"

#include <amd.h>
#include <metis.h>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace catena {

BlockGraph makeBlockGraph(const CscMatrix& a, const BlockStructure& blocks) {
  std::vector<int> blockOf(a.size);
  for (int b = 0; b < blocks.count(); ++b)
    for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) blockOf[i] = b;
  std::vector<std::pair<int, int>> edges;
  for (int j = 0; j < a.size; ++j) {
    int last = -1;
    for (const int row : a.rows(j)) {
      const int other = blockOf[row];
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

namespace {

bool isNode(int b, const BlockStructure& blocks, const BlockGraph& g) {
  return !blocks.isMultiplier[b] || g.start[b] == g.start[b + 1];
}

// Order of elimination of the vertices of a graph.
std::vector<int> orderGraph(GraphOrdering ordering, std::vector<int>& start,
                            std::vector<int>& neighbour) {
  int n = static_cast<int>(start.size()) - 1;
  std::vector<int> order(n), inverse(n);
  const bool done =
      ordering == GraphOrdering::minimumDegree
          ? amd_order(n, start.data(), neighbour.data(), order.data(), nullptr, nullptr) >= 0
          : METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, nullptr, order.data(),
                         inverse.data()) == METIS_OK;
  if (!done) throw std::runtime_error("ordering for elimination failed (out of memory)");
  return order;
}

// Nodes that cut trees into parts of about equal size; order: all nodes of the trees, leaves first.
std::vector<int> cutTrees(const std::vector<int>& order, const std::vector<int>& start,
                          const std::vector<int>& neighbour, int parts) {
  const std::size_t blocks = start.size() - 1;
  constexpr int smallest = 64;
  const int size = std::max(smallest, static_cast<int>(order.size()) / parts);
  std::vector<int> position(blocks, static_cast<int>(blocks)), below(blocks, 1), cuts;
  for (std::size_t p = 0; p < order.size(); ++p) position[order[p]] = static_cast<int>(p);
  for (const int b : order) {
    if (below[b] >= size) {
      cuts.push_back(b);
      continue;
    }
    for (int k = start[b]; k < start[b + 1]; ++k)
      if (position[neighbour[k]] > position[b]) below[neighbour[k]] += below[b];
  }
  return cuts;
}

}  // namespace

NodeOrder orderNodes(const BlockGraph& g, const BlockStructure& blocks, GraphOrdering ordering,
                     int parts) {
  const int n = blocks.count();
  std::vector<int> start{0}, neighbour;
  for (int b = 0; b < n; ++b) {
    const auto first = static_cast<std::ptrdiff_t>(neighbour.size());
    if (!blocks.isMultiplier[b])
      for (int k = g.start[b]; k < g.start[b + 1]; ++k) {
        const int other = g.neighbour[k];
        if (!blocks.isMultiplier[other]) {
          neighbour.push_back(other);
        } else {
          for (int m = g.start[other]; m < g.start[other + 1]; ++m)
            if (g.neighbour[m] != b) neighbour.push_back(g.neighbour[m]);
        }
      }
    std::sort(neighbour.begin() + first, neighbour.end());
    neighbour.erase(std::unique(neighbour.begin() + first, neighbour.end()), neighbour.end());
    start.push_back(static_cast<int>(neighbour.size()));
  }
  NodeOrder result{.nodes = {}, .isCut = std::vector<char>(n, 0)};
  std::vector<int>& order = result.nodes;
  const auto forNeighbours = [&](int b, const auto& f) {
    std::for_each(neighbour.begin() + start[b], neighbour.begin() + start[b + 1], f);
  };
  std::vector<char> done;
  const auto takeTrees = [&] {
    done = result.isCut;
    order.clear();
    std::vector<int> degree(n);
    for (int b = 0; b < n; ++b) forNeighbours(b, [&](int other) { degree[b] += !done[other]; });
    for (int b = 0; b < n; ++b)
      if (isNode(b, blocks, g) && !done[b] && degree[b] <= 1) order.push_back(b), done[b] = 1;
    for (std::size_t next = 0; next < order.size(); ++next)
      forNeighbours(order[next], [&](int other) {
        if (!done[other] && --degree[other] <= 1) order.push_back(other), done[other] = 1;
      });
  };
  takeTrees();
  if (parts > 1) {
    const std::vector<int> cuts = cutTrees(order, start, neighbour, parts);
    for (const int b : cuts) result.isCut[b] = 1;
    takeTrees();
    order.insert(order.end(), cuts.begin(), cuts.end());
  }

  std::vector<int> core, number(n, -1);
  for (int b = 0; b < n; ++b)
    if (isNode(b, blocks, g) && !done[b])
      number[b] = static_cast<int>(core.size()), core.push_back(b);
  result.hasLoops = !core.empty();
  if (!result.hasLoops) return result;
  std::vector<int> coreStart{0}, coreNeighbour;
  for (const int b : core) {
    for (int k = start[b]; k < start[b + 1]; ++k)
      if (number[neighbour[k]] >= 0) coreNeighbour.push_back(number[neighbour[k]]);
    coreStart.push_back(static_cast<int>(coreNeighbour.size()));
  }
  for (const int p : orderGraph(ordering, coreStart, coreNeighbour)) order.push_back(core[p]);
  return result;
}

std::vector<int> eliminationStages(const BlockGraph& g, const BlockStructure& blocks,
                                   const NodeOrder& order, bool early) {
  const std::vector<int>& nodes = order.nodes;
  std::vector<int> stageOf(blocks.count(), -1), joints(nodes.size(), 0);
  for (int p = 0; p < static_cast<int>(nodes.size()); ++p) stageOf[nodes[p]] = p;
  const auto neighbours = [&](int b) {
    return std::span(g.neighbour).subspan(g.start[b], g.start[b + 1] - g.start[b]);
  };
  const auto sizeOf = [&](int b) { return blocks.start[b + 1] - blocks.start[b]; };
  const auto place = [&](int joint, int stage) { stageOf[joint] = stage, ++joints[stage]; };
  for (int b = 0; b < blocks.count(); ++b)
    if (stageOf[b] < 0 && neighbours(b).size() == 1 && stageOf[neighbours(b)[0]] >= 0)
      place(b, stageOf[neighbours(b)[0]]);
  for (int p = 0; p < static_cast<int>(nodes.size()); ++p) {
    int open = -1, openCount = 0;
    for (const int b : neighbours(nodes[p])) {
      if (stageOf[b] >= 0) continue;
      const auto acts = neighbours(b);
      if (std::all_of(acts.begin(), acts.end(), [&](int a) { return stageOf[a] <= p; }))
        place(b, p);
      else if (std::none_of(acts.begin(), acts.end(), [&](int a) { return order.isCut[a]; }))
        open = b, ++openCount;
    }
    if (early && openCount == 1 && joints[p] == 0 && sizeOf(open) <= sizeOf(nodes[p]))
      place(open, p);
  }
  return stageOf;
}

std::vector<int> eliminationOrder(const CscMatrix& a, const BlockStructure& blocks, bool early) {
  const BlockGraph graph = makeBlockGraph(a, blocks);
  const NodeOrder nodeOrder = orderNodes(graph, blocks, GraphOrdering::minimumDegree);
  const std::vector<int>& nodes = nodeOrder.nodes;
  const std::vector<int> stageOf = eliminationStages(graph, blocks, nodeOrder, early);
  std::vector<std::vector<int>> stages(nodes.size() + 1);
  for (int b = 0; b < blocks.count(); ++b)
    if (stageOf[b] < 0 || nodes[stageOf[b]] != b)
      stages[stageOf[b] < 0 ? nodes.size() : stageOf[b]].push_back(b);
  std::vector<int> order;
  const auto append = [&](int b) {
    for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) order.push_back(i);
  };
  for (std::size_t p = 0; p < stages.size(); ++p) {
    if (p < nodes.size()) append(nodes[p]);
    for (const int b : stages[p]) append(b);
  }
  return order;
}

}  // namespace catena
