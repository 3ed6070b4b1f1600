// Parallel evaluation and gathering. Work is cut into chunks of fixed size and every sum has a
// fixed order, so results are the same bits for any number of threads.
#include "assembly/system.h"
#include "kernels/stopwatch.h"

namespace catena {
namespace {

constexpr int elementChunk = 64;  // elements per task
constexpr int gatherChunk = 512;  // groups or blocks per task

}  // namespace

void System::setThreads(int threads, int parts) {
  pool_ = std::make_shared<ThreadPool>(threads);
  parts_ = parts;
}

template <class F>
void System::forEachNodeRange(const F& f) {
  const Stopwatch clock(timers.update);
  for (const NodeSet& set : nodeSets_)
    pool_->forChunks(set.pool->size(), elementChunk,
                     [&](int begin, int end) { f(set, begin, end); });
}

void System::increment(const VectorX& delta, const Variation& variation, ConstraintLevel level) {
  forEachNodeRange([&](const NodeSet& set, int begin, int end) {
    set.type->node->increment(*set.pool, set.places, state_, delta, variation, level, begin, end);
  });
  const int first = unknownCount_ - multiplierCount_;
  pool_->forParts(multiplierCount_, [&](int begin, int n) {
    state_.multipliers.segment(begin, n) += delta.segment(first + begin, n) / variation.rowScale;
  });
}

void System::predict(const VectorX& start, const VectorX& dq, Real twist) {
  forEachNodeRange([&](const NodeSet& set, int begin, int end) {
    set.type->node->predict(*set.pool, set.places, state_, start, dq, twist, begin, end);
  });
}

void System::localRates(const VectorX& dq, const VectorX& v, VectorX& rate) {
  rate.resize(coordinateCount_);
  forEachNodeRange([&](const NodeSet& set, int begin, int end) {
    set.type->node->localRates(*set.pool, set.places, dq, v, rate, begin, end);
  });
}

void System::difference(const VectorX& q0, const VectorX& q1, VectorX& dq) {
  dq.resize(coordinateCount_);
  forEachNodeRange([&](const NodeSet& set, int begin, int end) {
    set.type->node->difference(*set.pool, set.places, q0, q1, dq, begin, end);
  });
}

void System::computeMotions() {
  const Stopwatch clock(timers.motions);
  for (const NodeSet& set : nodeSets_)
    pool_->forChunks(set.pool->size(), elementChunk, [&](int begin, int end) {
      set.type->node->motions(*set.pool, set.places, state_, frames_.data(), begin, end);
    });
  pool_->forChunks(static_cast<int>(derivedFrames_.size()), elementChunk,
                   [&](int begin, int end) { deriveFrames(state_, begin, end); });
  pool_->forChunks(static_cast<int>(dependents_.size()), elementChunk, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) move(dependents_[k], frames_[dependents_[k].frame]);
  });
}

EvaluationContext System::context(const Variation& variation, ConstraintLevel level,
                                  bool withMatrix) {
  return {.state = state_,
          .frames = frames_.data(),
          .variations = withMatrix && !variations_.empty() ? variations_.data() : nullptr,
          .variationOfFrame = variationOfFrame_.data(),
          .dependents = dependents_.data(),
          .variation = variation,
          .level = level,
          .withMatrix = withMatrix,
          .loadFactor = loadFactor,
          .residuals = residuals_.data(),
          .values = matrix_.values.data(),
          .slices = slices_.data()};
}

void System::evaluate(const Variation& variation, ConstraintLevel level, bool withMatrix,
                      VectorX& r) {
  computeMotions();
  {
    const Stopwatch clock(timers.elements);
    if (withMatrix)
      for (const NodeSet& set : nodeSets_)
        if (set.firstVariation >= 0)
          pool_->forChunks(set.pool->size(), elementChunk, [&](int begin, int end) {
            set.type->node->variations(*set.pool, set.places, state_, variation,
                                       variations_.data() + set.firstVariation, begin, end);
          });
    const EvaluationContext c = context(variation, level, withMatrix);
    for (Batch& batch : batches_) {
      if (batch.elements->serial())
        batch.elements->evaluate(c, batch.sink, 0, batch.elements->size());
      else
        pool_->forChunks(batch.elements->size(), elementChunk, [&](int begin, int end) {
          batch.elements->evaluate(c, batch.sink, begin, end);
        });
    }
    if (withMatrix && variation.position != 0) addRatesOfDependents(variation, level);
  }
  const Stopwatch clock(timers.gather);
  gatherResidual(r);
  if (withMatrix) gatherMatrix();
  if (holdFirstOrder) hold(r, withMatrix);
}

// Puts "increment = 0" in place of the equations of first order.
void System::hold(VectorX& r, bool withMatrix) {
  const int begin = dynamicCount_, end = begin + firstOrderCount_;
  r.segment(begin, firstOrderCount_).setZero();
  if (!withMatrix) return;
  matrix_.forEntries([&](int row, int column, int k) {
    if (row >= begin && row < end) matrix_.values[k] = row == column;
  });
}

// Velocities of dependent frames change with the coordinates even at constant rates: the
// derivatives of their elements by velocities, from a second pass that moves only these, times H.
void System::addRatesOfDependents(const Variation& variation, ConstraintLevel level) {
  const Variation ratesOnly{.position = 0,
                            .velocity = variation.position,
                            .rowScale = variation.rowScale,
                            .constraintPosition = 0,
                            .constraintVelocity = 0};
  EvaluationContext c = context(ratesOnly, level, true);
  c.variations = nullptr;
  c.ratesOfDependents = true;
  for (Batch& batch : batches_) {
    if (batch.sink.dependences.empty()) continue;
    for (int e = 0; e < batch.elements->size(); ++e)
      if (batch.sink.firstDependence[e] < batch.sink.firstDependence[e + 1])
        batch.elements->evaluate(c, batch.sink, e, e + 1);
  }
}

void System::gatherResidual(VectorX& r) {
  r.resize(unknownCount_);
  pool_->forChunks(static_cast<int>(groupOwner_.size()), gatherChunk, [&](int begin, int end) {
    for (int g = begin; g < end; ++g) {
      Real* to = r.data() + groupStart_[g];
      const int size = groupStart_[g + 1] - groupStart_[g];
      const RowContribution* c = rowContributions_.data() + rowContributionStart_[g];
      const RowContribution* last = rowContributions_.data() + rowContributionStart_[g + 1];
      if (size == 3) {  // nearly all
        Real sum[3] = {};
        for (; c != last && c->size == 3; ++c)
          for (int i = 0; i < 3; ++i) sum[i] += residuals_[c->offset + i];
        std::copy_n(sum, 3, to);
      } else {
        for (int i = 0; i < size; ++i) to[i] = 0;
      }
      for (; c != last; ++c)
        for (int i = 0; i < c->size; ++i) to[c->first + i] += residuals_[c->offset + i];
    }
  });
}

void System::gatherMatrix() {
  const int blocks = static_cast<int>(sharedBlocks_.size()) - 1;
  pool_->forChunks(blocks, gatherChunk, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const SharedBlock& block = sharedBlocks_[b];
      Real* to = matrix_.values.data() + block.target;
      const int ld = block.leadingDimension;
      const BlockContribution* c = blockContributions_.data() + block.first;
      const BlockContribution* last = blockContributions_.data() + sharedBlocks_[b + 1].first;
      if (block.rows == 3 && block.columns == 3) {  // nearly all
        Real sum[9] = {};
        for (; c != last && c->rows == 3 && c->columns == 3; ++c)
          for (int i = 0; i < 9; ++i) sum[i] += slices_[c->offset + i];
        for (int j = 0; j < 3; ++j) std::copy_n(sum + 3 * j, 3, to + j * ld);
      } else {
        for (int j = 0; j < block.columns; ++j)
          for (int i = 0; i < block.rows; ++i) to[j * ld + i] = 0;
      }
      for (; c != last; ++c) {
        const Real* from = slices_.data() + c->offset;
        for (int j = 0; j < c->columns; ++j)
          for (int i = 0; i < c->rows; ++i)
            to[(c->column + j) * ld + c->row + i] += from[j * c->rows + i];
      }
    }
  });
}

}  // namespace catena
