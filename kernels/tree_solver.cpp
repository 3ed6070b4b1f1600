#include "kernels/tree_solver.h"

#include <algorithm>
#include <cmath>

#include "kernels/elimination_order.h"

namespace catena {
namespace {

constexpr long long mostFill =
    4;  // factor entries per entry of the matrix, above which KLU is left to order
constexpr Real vanishingPivot = 1e-13;  // relative to the largest entry of its column of the front

// One dense front: pivot rows, then rows of the nodes that it couples to.
struct Front {
  int node = -1;   // first block of the pair
  int joint = -1;  // its multipliers, or -1
  int pivots = 0, size = 0;
  int parent = -1;       // front that receives the update, by position in the order
  int firstRow = 0;      // in rows_
  int firstPivot = 0;    // in pivotRow_
  int firstEntry = 0;    // in entries_
  int firstUpdate = 0;   // in updateRow_: positions of the update rows in the parent
  long long factor = 0;  // in factors_
  long long update = 0;  // in updates_
};

int padded(int n) { return (n + 3) & ~3; }

class TreeSolver final : public LinearSolver {
 public:
  // False if the blocks cannot be paired into a tree.
  bool prepare(const CscMatrix& a, const BlockStructure& blocks) {
    const BlockGraph graph = makeBlockGraph(a, blocks);
    return pairAndOrder(graph, blocks) && makeFronts(a, blocks, graph);
  }

  std::string_view name() const override { return "block elimination along the tree"; }
  void analyze(const CscMatrix&) override {}

  bool factor(const CscMatrix& a) override {
    ++counts_.factorizations;
    for (Front& f : fronts_)
      if (!factorFront(f, a)) return false;
    return true;
  }

  void solve(VectorX& rhs) override {
    ++counts_.solves;
    for (const Front& f : fronts_) forward(f, rhs.data());
    for (auto f = fronts_.rbegin(); f != fronts_.rend(); ++f) backward(*f, rhs.data());
  }

 private:
  // Pairs every joint with the node that it hangs on its other node (or on ground): leaves of the
  // tree of unpaired joints are peeled off again and again. order_ then runs from the leaves to the
  // ground.
  bool pairAndOrder(const BlockGraph& g, const BlockStructure& blocks) {
    const int n = blocks.count();
    std::vector<int> openJoints(n, 0);
    std::vector<char> done(n, 0);
    const auto joints = [&](int node, auto&& f) {
      for (int k = g.start[node]; k < g.start[node + 1]; ++k)
        if (blocks.isMultiplier[g.neighbour[k]]) f(g.neighbour[k]);
    };
    for (int b = 0; b < n; ++b)
      if (!blocks.isMultiplier[b]) joints(b, [&](int) { ++openJoints[b]; });
    // joints to ground are paired last, so that each tree is peeled towards the ground
    const auto nodesOf = [&](int joint) {
      int count = 0;
      for (int k = g.start[joint]; k < g.start[joint + 1]; ++k)
        count += !blocks.isMultiplier[g.neighbour[k]];
      return count;
    };
    std::vector<int> ready;
    for (int b = n - 1; b >= 0; --b)
      if (!blocks.isMultiplier[b] && openJoints[b] <= 1) ready.push_back(b);
    while (!ready.empty()) {
      const int node = ready.back();
      ready.pop_back();
      if (done[node]) continue;
      int joint = -1;
      joints(node, [&](int j) {
        if (!done[j]) joint = j;
      });
      if (joint >= 0 && blocks.start[joint + 1] - blocks.start[joint] >
                            blocks.start[node + 1] - blocks.start[node])
        return false;
      done[node] = 1;
      pairs_.push_back({node, joint});
      if (joint < 0) continue;
      done[joint] = 1;
      if (nodesOf(joint) > 2) return false;
      for (int k = g.start[joint]; k < g.start[joint + 1]; ++k) {
        const int other = g.neighbour[k];
        if (blocks.isMultiplier[other]) return false;
        if (!done[other] && --openJoints[other] <= 1) ready.push_back(other);
      }
    }
    return std::all_of(done.begin(), done.end(), [](char d) { return d; });
  }

  // False if springs between branches make too much fill for this order of elimination.
  bool makeFronts(const CscMatrix& a, const BlockStructure& blocks, const BlockGraph& g) {
    const int n = blocks.count();
    const auto sizeOf = [&](int b) { return blocks.start[b + 1] - blocks.start[b]; };
    std::vector<int> orderOf(n);
    for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
      orderOf[pairs_[p].first] = p;
      if (pairs_[p].second >= 0) orderOf[pairs_[p].second] = p;
    }
    std::vector<std::vector<int>> passedOn(pairs_.size());  // blocks that children couple to
    std::vector<int> position(a.size, -1);
    fronts_.resize(pairs_.size());
    long long factorSize = 0, updateSize = 0;
    int largest = 0, pivotCount = 0;
    for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
      Front& f = fronts_[p];
      f.node = pairs_[p].first;
      f.joint = pairs_[p].second;
      std::vector<int> later = std::move(passedOn[p]);
      for (const int b : {f.node, f.joint})
        if (b >= 0)
          for (int k = g.start[b]; k < g.start[b + 1]; ++k) later.push_back(g.neighbour[k]);
      std::sort(later.begin(), later.end(), [&](int x, int y) {
        return orderOf[x] != orderOf[y] ? orderOf[x] < orderOf[y] : x < y;
      });
      later.erase(std::unique(later.begin(), later.end()), later.end());
      later.erase(
          std::remove_if(later.begin(), later.end(), [&](int b) { return orderOf[b] <= p; }),
          later.end());

      f.firstRow = static_cast<int>(rows_.size());
      for (const int b : {f.node, f.joint})
        if (b >= 0)
          for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) rows_.push_back(i);
      f.pivots = static_cast<int>(rows_.size()) - f.firstRow;
      f.firstPivot = pivotCount;
      pivotCount += f.pivots;
      for (const int b : later)
        for (int i = 0; i < sizeOf(b); ++i) rows_.push_back(blocks.start[b] + i);
      f.size = static_cast<int>(rows_.size()) - f.firstRow;
      f.factor = factorSize;
      f.update = updateSize;
      factorSize += padded(f.size) * f.pivots + f.pivots * (f.size - f.pivots);
      if (factorSize > mostFill * a.nonZeros()) return false;
      largest = std::max(largest, f.size);
      if (!later.empty()) {
        f.parent = orderOf[later[0]];
        passedOn[f.parent].insert(passedOn[f.parent].end(), later.begin(), later.end());
        updateSize += static_cast<long long>(f.size - f.pivots) * (f.size - f.pivots);
      }
    }
    // positions of update rows in the parent, and of matrix entries in the front that eliminates
    // them first
    for (Front& f : fronts_) {
      f.firstUpdate = static_cast<int>(updateRow_.size());
      if (f.parent < 0) continue;
      const Front& parent = fronts_[f.parent];
      for (int i = 0; i < parent.size; ++i) position[rows_[parent.firstRow + i]] = i;
      for (int i = f.pivots; i < f.size; ++i) updateRow_.push_back(position[rows_[f.firstRow + i]]);
    }
    for (int p = 0; p < static_cast<int>(fronts_.size()); ++p)
      collectEntries(p, a, blocks, orderOf, position);
    factors_.resize(factorSize);
    updates_.resize(updateSize);
    pivotRow_.resize(a.size);
    front_.resize(static_cast<std::size_t>(padded(largest)) * largest);
    solveWork_.resize(largest);
    children_.resize(fronts_.size());
    for (int p = 0; p < static_cast<int>(fronts_.size()); ++p)
      if (fronts_[p].parent >= 0) children_[fronts_[p].parent].push_back(p);
    counts_.factorNonZeros = factorSize;
    return true;
  }

  // Entries (row, column) of the matrix with the pair's rows or columns and none that was
  // eliminated before.
  void collectEntries(int p, const CscMatrix& a, const BlockStructure& blocks,
                      const std::vector<int>& orderOf, std::vector<int>& position) {
    Front& f = fronts_[p];
    const int ld = padded(f.size);
    f.firstEntry = static_cast<int>(entries_.size());
    for (int i = 0; i < f.size; ++i) position[rows_[f.firstRow + i]] = i;
    const auto blockOf = [&](int row) {
      return static_cast<int>(std::upper_bound(blocks.start.begin(), blocks.start.end(), row) -
                              blocks.start.begin()) -
             1;
    };
    for (int j = 0; j < f.size; ++j) {
      const int column = rows_[f.firstRow + j];
      for (int k = a.columnStart[column]; k < a.columnStart[column + 1]; ++k) {
        const int row = a.rowIndex[k];
        const int order = orderOf[blockOf(row)];
        if (order < p || (j >= f.pivots && order != p)) continue;
        entries_.push_back({k, j * ld + position[row]});
      }
    }
  }

  bool factorFront(const Front& f, const CscMatrix& a) {
    const int n = f.size, p = f.pivots, ld = padded(n), u = n - p;
    Real* F = front_.data();
    std::fill_n(F, static_cast<std::size_t>(ld) * n, 0.0);
    const int next =
        &f == &fronts_.back() ? static_cast<int>(entries_.size()) : (&f + 1)->firstEntry;
    for (int k = f.firstEntry; k < next; ++k) F[entries_[k].to] = a.values[entries_[k].from];
    for (const int c : children_[&f - fronts_.data()]) {
      const Front& child = fronts_[c];
      const int m = child.size - child.pivots;
      const Real* from = updates_.data() + child.update;
      const int* row = updateRow_.data() + child.firstUpdate;
      for (int j = 0; j < m; ++j, from += m) {
        Real* column = F + row[j] * ld;
        for (int i = 0; i < m; ++i) column[row[i]] += from[i];
      }
    }
    if (!eliminate(F, n, p, ld, pivotRow_.data() + f.firstPivot)) return false;
    Real* L = factors_.data() + f.factor;
    std::copy_n(F, static_cast<std::size_t>(ld) * p, L);
    Real* U = L + static_cast<std::size_t>(ld) * p;
    for (int j = 0; j < u; ++j) std::copy_n(F + (p + j) * ld, p, U + j * p);
    if (f.parent >= 0) {
      Real* to = updates_.data() + f.update;
      for (int j = 0; j < u; ++j) std::copy_n(F + (p + j) * ld + p, u, to + j * u);
    }
    return true;
  }

  // Right-looking LU of the first p columns with row pivoting among the first p rows.
  bool eliminate(Real* F, int n, int p, int ld, int* pivotRow) {
    for (int k = 0; k < p; ++k) {
      Real* column = F + k * ld;
      int pivot = k;
      Real largest = std::abs(column[k]);
      for (int i = k + 1; i < p; ++i)
        if (std::abs(column[i]) > largest) largest = std::abs(column[i]), pivot = i;
      Real below = 0;
      for (int i = p; i < n; ++i) below = std::max(below, std::abs(column[i]));
      if (!(largest > vanishingPivot * below) || !std::isfinite(largest)) return false;
      pivotRow[k] = pivot;
      if (pivot != k)
        for (int j = 0; j < n; ++j) std::swap(F[j * ld + k], F[j * ld + pivot]);
      const Real inverse = 1 / column[k];
      for (int i = k + 1; i < n; ++i) column[i] *= inverse;
      for (int j = k + 1; j < n; ++j) {
        Real* to = F + j * ld;
        const Real factor = to[k];
        if (factor == 0) continue;
        for (int i = k + 1; i < n; ++i) to[i] -= factor * column[i];
      }
    }
    return true;
  }

  void forward(const Front& f, Real* x) {
    const int n = f.size, p = f.pivots, ld = padded(n);
    const Real* L = factors_.data() + f.factor;
    const int* rows = rows_.data() + f.firstRow;
    Real* y = solveWork_.data();
    for (int i = 0; i < n; ++i) y[i] = x[rows[i]];
    for (int k = 0; k < p; ++k) {
      const int pivot = pivotRow_[f.firstPivot + k];
      if (pivot != k) std::swap(y[k], y[pivot]);
    }
    for (int k = 0; k < p; ++k) {
      const Real yk = y[k];
      const Real* column = L + k * ld;
      for (int i = k + 1; i < n; ++i) y[i] -= yk * column[i];
    }
    for (int i = 0; i < n; ++i) x[rows[i]] = y[i];
  }

  void backward(const Front& f, Real* x) {
    const int n = f.size, p = f.pivots, ld = padded(n);
    const Real* L = factors_.data() + f.factor;
    const Real* U = L + static_cast<std::size_t>(ld) * p;
    const int* rows = rows_.data() + f.firstRow;
    Real* y = solveWork_.data();
    for (int i = 0; i < p; ++i) y[i] = x[rows[i]];
    for (int j = p; j < n; ++j) {
      const Real xj = x[rows[j]];
      const Real* column = U + (j - p) * p;
      for (int i = 0; i < p; ++i) y[i] -= xj * column[i];
    }
    for (int k = p - 1; k >= 0; --k) {
      const Real* column = L + k * ld;
      const Real yk = y[k] /= column[k];
      for (int i = 0; i < k; ++i) y[i] -= yk * column[i];
    }
    for (int i = 0; i < p; ++i) x[rows[i]] = y[i];
  }

  struct Entry {
    int from;  // value of the matrix
    int to;    // in the front
  };
  std::vector<std::pair<int, int>> pairs_;  // (node, joint or -1), in the order of elimination
  std::vector<Front> fronts_;
  std::vector<std::vector<int>> children_;
  std::vector<int> rows_;  // unknowns of every front
  std::vector<int> updateRow_;
  std::vector<Entry> entries_;
  std::vector<int> pivotRow_;  // per pivot: the row of the pair that was swapped in
  std::vector<Real> factors_, updates_, front_, solveWork_;
};

}  // namespace

std::unique_ptr<LinearSolver> makeTreeSolver(const CscMatrix& matrix,
                                             const BlockStructure& blocks) {
  auto solver = std::make_unique<TreeSolver>();
  if (!solver->prepare(matrix, blocks)) return nullptr;
  return solver;
}

}  // namespace catena
