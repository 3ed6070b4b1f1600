// The joint kernel: all joints between two rigid frames that fix translations or rotations.
//
// Frames of the joint: AJ0 = A0 R0, AJ1 = A1 R1 with columns x, y, z. Equations measure "marker 1
// minus marker 0":
//   translations, all three fixed:  p1 - p0 = 0                 (world components)
//                 else:             e_k . AJ0^T (p1 - p0) = 0   for the fixed axes k of AJ0
//   rotations:                      a . b = 0  with an axis a of AJ0 and an axis b of AJ1, see
//   rotationRows().
// The multiplier lambda acts as +C^T lambda on the left-hand side: it is the force (torque) on
// marker 0. (Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon
// 1989, section 9.4.)
#pragma once

#include <deque>
#include <functional>

#include "items/connector.h"
#include "items/user_function.h"

namespace catena {

struct JointAxes {
  std::array<bool, 3> translation{};
  std::array<bool, 3> rotation{};

  int translations() const { return translation[0] + translation[1] + translation[2]; }
  int rotations() const { return rotation[0] + rotation[1] + rotation[2]; }
  friend bool operator==(const JointAxes&, const JointAxes&) = default;
};

// Rotational equation: column a of AJ0 perpendicular to column b of AJ1; axis is the component of
// the torque output.
struct RotationRow {
  int a, b, axis;
};
// The rows for the fixed rotations, in the order of the multipliers.
int rotationRows(const JointAxes& axes, std::array<RotationRow, 3>& rows);

struct JointDefinition {
  MarkerPair markers;
  MarkerNeed need = MarkerNeed::positionAndOrientation;
  JointAxes axes;
  // Equations of translation in world axes; joints that fix only some axes of AJ0 set it to false.
  bool worldTranslation() const { return need == MarkerNeed::position || axes.translations() == 3; }
  Matrix3 rotation0 = Matrix3::Identity(), rotation1 = Matrix3::Identity();
  bool active = true;
  const UserFunction* offset = nullptr;  // six expressions: translations, Tait-Bryan angles of AJ0
  const UserFunction* offsetRate = nullptr;  // their time derivatives
  Vector6 offsetParameters = Vector6::Zero();
};

class JointBatch final : public ElementBatch {
 public:
  // definition(i): of the i-th item of the source
  JointBatch(const BatchSource& source, const std::function<JointDefinition(int)>& definition);
  ~JointBatch() override;

  int size() const override;
  int localSize() const override { return 18; }
  void describe(int element, ElementPattern& pattern) const override;
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override;
  bool serial() const override { return serial_; }
  bool output(int element, OutputVariable variable, const OutputContext& context,
              std::vector<Real>& out) const override;

 private:
  struct Form;
  struct Joint;
  class Evaluation;
  std::deque<Form> forms_;  // joints that follow each other and look alike share theirs
  std::vector<Joint> joints_;
  const AssemblyView& view_;
  bool serial_ = false;
};

// Behaviour of an item struct T that describes itself by T::definition().
template <class T>
class JointBehaviour : public ObjectBehaviour {
 public:
  std::vector<int> multiplierGroups(const void* object) const override {
    const JointAxes axes = static_cast<const T*>(object)->definition().axes;
    std::vector<int> groups;
    if (axes.translations()) groups.push_back(axes.translations());
    if (axes.rotations()) groups.push_back(axes.rotations());
    return groups;
  }
  void check(const void* object, const std::string& where) const override {
    const JointDefinition d = static_cast<const T*>(object)->definition();
    for (const Matrix3* R : {&d.rotation0, &d.rotation1})
      if ((R->transpose() * *R - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-6)
        throw ModelError(where + ": rotationMarker" + (R == &d.rotation0 ? "0" : "1") + " = " +
                         valueText(MatrixX(*R)) + " is not a rotation matrix (R^T R != I)");
  }
  std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
    const auto& items = static_cast<const PoolOf<T>&>(source.pool).items;
    return std::make_unique<JointBatch>(source, [&](int i) { return items[i].definition(); });
  }
};

inline constexpr OutputVariable jointOutputs[] = {
    OutputVariable::Position,          OutputVariable::Velocity,
    OutputVariable::DisplacementLocal, OutputVariable::VelocityLocal,
    OutputVariable::Rotation,          OutputVariable::AngularVelocityLocal,
    OutputVariable::ForceLocal,        OutputVariable::TorqueLocal,
    OutputVariable::Displacement,      OutputVariable::Force};

}  // namespace catena
