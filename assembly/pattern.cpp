// Sparsity pattern and scatter map: computed once per topology, and again when elements change.
#include <algorithm>
#include <limits>
#include <map>

#include "assembly/system.h"

namespace catena {
namespace {

// Rows (groups) of every column of groups, sorted and without duplicates.
struct GroupPattern {
  std::vector<int> start;  // per column, + 1
  std::vector<int> rows;
  std::vector<int> offset;  // first scalar row of the entry within a column

  int find(int row, int column) const {
    const auto first = rows.begin() + start[column], last = rows.begin() + start[column + 1];
    return static_cast<int>(std::lower_bound(first, last, row) - rows.begin());
  }
};

GroupPattern compress(std::vector<std::pair<int, int>>& pairs, int groups,
                      const std::vector<int>& groupStart) {
  GroupPattern p;
  std::vector<int> count(groups + 1, 0);
  for (const auto& [row, column] : pairs) ++count[column + 1];
  for (int g = 0; g < groups; ++g) count[g + 1] += count[g];
  std::vector<int> rows(pairs.size());
  std::vector<int> next(count.begin(), count.end() - 1);
  for (const auto& [row, column] : pairs) rows[next[column]++] = row;
  p.start.assign(groups + 1, 0);
  for (int g = 0; g < groups; ++g) {
    std::sort(rows.begin() + count[g], rows.begin() + count[g + 1]);
    const auto last = std::unique(rows.begin() + count[g], rows.begin() + count[g + 1]);
    int offset = 0;
    for (auto r = rows.begin() + count[g]; r != last; ++r) {
      p.rows.push_back(*r);
      p.offset.push_back(offset);
      offset += groupStart[*r + 1] - groupStart[*r];
    }
    p.start[g + 1] = static_cast<int>(p.rows.size());
  }
  return p;
}

void checkIndexRange(long long count, const char* what) {
  if (count > std::numeric_limits<int>::max())
    throw ModelError("the model is too large: it has more than " +
                     std::to_string(std::numeric_limits<int>::max()) + " " + what);
}

}  // namespace

void System::buildPattern() {
  const int groups = static_cast<int>(groupOwner_.size());
  std::vector<std::pair<int, int>> pairs;
  ElementPattern pattern;
  for (const Batch& batch : batches_)
    for (int e = 0; e < batch.elements->size(); ++e) {
      pattern.clear(batch.elements->localSize());
      batch.elements->describe(e, pattern);
      for (const auto& [row, column] : pattern.blocks)
        pairs.emplace_back(pattern.groups[row].group, pattern.groups[column].group);
    }
  const GroupPattern gp = compress(pairs, groups, groupStart_);
  std::vector<std::pair<int, int>>().swap(pairs);
  const auto sizeOf = [&](int g) { return groupStart_[g + 1] - groupStart_[g]; };

  // the scalar matrix
  matrix_.clear();
  std::vector<int> columnOffset(groups);  // value index of the first column of a group
  std::vector<int> columnLength(groups);
  std::vector<int> rows;
  long long entries = 0;
  for (int g = 0; g < groups; ++g) {
    rows.clear();
    for (int k = gp.start[g]; k < gp.start[g + 1]; ++k)
      for (int i = groupStart_[gp.rows[k]]; i < groupStart_[gp.rows[k] + 1]; ++i) rows.push_back(i);
    columnLength[g] = static_cast<int>(rows.size());
    columnOffset[g] = matrix_.nonZeros();
    entries += static_cast<long long>(rows.size()) * sizeOf(g);
    checkIndexRange(entries, "entries of the matrix");
    for (int c = 0; c < sizeOf(g); ++c) matrix_.addColumn(rows);
  }
  matrix_.rowIndex.shrink_to_fit();
  matrix_.values.assign(matrix_.nonZeros(), 0.0);

  // blocks with several contributors go through slices
  std::vector<int> contributors(gp.rows.size(), 0);
  std::vector<int> rowCount(groups + 1, 0);
  std::vector<int> localSizes;  // of batches, dependent frames included
  for (const Batch& batch : batches_) {
    localSizes.push_back(batch.elements->localSize());
    for (int e = 0; e < batch.elements->size(); ++e) {
      pattern.clear(batch.elements->localSize());
      batch.elements->describe(e, pattern);
      localSizes.back() = std::max(localSizes.back(), pattern.localSize);
      for (const auto& [row, column] : pattern.blocks)
        ++contributors[gp.find(pattern.groups[row].group, pattern.groups[column].group)];
      for (const LocalGroup& g : pattern.groups) ++rowCount[g.group + 1];
    }
  }
  std::vector<int> sharedOf(gp.rows.size(), -1);
  int contributionCount = 0;
  sharedBlocks_.clear();
  for (int g = 0; g < groups; ++g)
    for (int k = gp.start[g]; k < gp.start[g + 1]; ++k)
      if (contributors[k] > 1) {
        sharedOf[k] = static_cast<int>(sharedBlocks_.size());
        sharedBlocks_.push_back({columnOffset[g] + gp.offset[k], columnLength[g],
                                 static_cast<short>(sizeOf(gp.rows[k])),
                                 static_cast<short>(sizeOf(g)), contributionCount});
        contributionCount += contributors[k];
      }
  sharedBlocks_.push_back({0, 0, 0, 0, contributionCount});
  blockContributions_.resize(contributionCount);
  std::vector<int> nextContribution(sharedBlocks_.size());
  for (std::size_t b = 0; b < sharedBlocks_.size(); ++b)
    nextContribution[b] = sharedBlocks_[b].first;

  for (int g = 0; g < groups; ++g) rowCount[g + 1] += rowCount[g];
  rowContributionStart_.assign(rowCount.begin(), rowCount.end());
  rowContributions_.resize(rowCount[groups]);
  std::vector<int> nextRow(rowCount.begin(), rowCount.end() - 1);

  // second pass: destinations of every element
  long long residualSize = 0, sliceSize = 0;
  std::vector<BlockShape> shapes;
  for (Batch& batch : batches_) {
    ElementSink& sink = batch.sink;
    sink = {};
    sink.localSize = localSizes[&batch - batches_.data()];
    sink.residualStart = residualSize;
    sink.firstBlock = sink.firstProjection = sink.firstDependence = {0};
    std::map<std::vector<BlockShape>, int> known;
    for (int e = 0; e < batch.elements->size(); ++e) {
      pattern.clear(batch.elements->localSize());
      batch.elements->describe(e, pattern);
      for (const LocalGroup& g : pattern.groups)
        rowContributions_[nextRow[g.group]++] = {static_cast<int>(residualSize + g.offset),
                                                 static_cast<short>(g.first),
                                                 static_cast<short>(g.size)};
      shapes.clear();
      for (const auto& [row, column] : pattern.blocks) {
        const LocalGroup &r = pattern.groups[row], &c = pattern.groups[column];
        const int k = gp.find(r.group, c.group);
        BlockShape& shape = shapes.emplace_back(
            BlockShape{static_cast<short>(r.offset), static_cast<short>(c.offset),
                       static_cast<short>(r.size), static_cast<short>(c.size), r.size});
        if (sharedOf[k] >= 0) {
          const int slice = static_cast<int>(sliceSize);
          blockContributions_[nextContribution[sharedOf[k]]++] = {
              slice, static_cast<short>(r.first), static_cast<short>(c.first),
              static_cast<short>(r.size), static_cast<short>(c.size)};
          sink.blockOffsets.push_back(~slice);
          sliceSize += static_cast<long long>(r.size) * c.size;
        } else {
          shape.leadingDimension = columnLength[c.group];
          sink.blockOffsets.push_back(columnOffset[c.group] + gp.offset[k] + r.first +
                                      c.first * shape.leadingDimension);
        }
      }
      sink.firstBlock.push_back(static_cast<int>(sink.blockOffsets.size()));
      const auto [like, isNew] = known.try_emplace(shapes, sink.blockShapes.size());
      if (isNew) sink.blockShapes.insert(sink.blockShapes.end(), shapes.begin(), shapes.end());
      sink.firstShape.push_back(like->second);
      sink.projections.insert(sink.projections.end(), pattern.projections.begin(),
                              pattern.projections.end());
      sink.firstProjection.push_back(static_cast<int>(sink.projections.size()));
      sink.dependences.insert(sink.dependences.end(), pattern.dependences.begin(),
                              pattern.dependences.end());
      sink.firstDependence.push_back(static_cast<int>(sink.dependences.size()));
      residualSize += sink.localSize;
      checkIndexRange(residualSize, "rows of elements");
      checkIndexRange(sliceSize, "entries of elements");
    }
    sink.blockOffsets.shrink_to_fit();
    if (sink.projections.empty()) sink.firstProjection = {};
    if (sink.dependences.empty()) sink.firstDependence = {};
  }
  residuals_.assign(residualSize, 0.0);
  slices_.assign(sliceSize, 0.0);
}

}  // namespace catena
