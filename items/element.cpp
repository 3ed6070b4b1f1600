#include "items/element.h"

namespace catena {

void storeProjected(const EvaluationContext& context, const ElementSink& sink, int e, const Real* r,
                    const Real* L, int n) {
  const int first = sink.firstProjection[e], last = sink.firstProjection[e + 1];
  if (first == last) return storeDirectly(context, sink, e, r, L, n);
  thread_local VectorX vector;  // grow once, then keep their memory
  thread_local MatrixX matrix;
  vector = ConstVectorView(r, n);
  if (L) matrix = Eigen::Map<const MatrixX>(L, n, n);
  for (int k = first; k < last; ++k) {
    const auto& [at, axis] = sink.projections[k];
    vector[at] = axis.dot(vector.segment<3>(at));
    if (!L) continue;
    for (int j = 0; j < n; ++j) matrix(at, j) = axis.dot(matrix.block<3, 1>(at, j));
    for (int i = 0; i < n; ++i) matrix(i, at) = matrix.block<1, 3>(i, at).dot(axis.transpose());
  }
  storeDirectly(context, sink, e, vector.data(), L ? matrix.data() : nullptr, n);
}

}  // namespace catena
