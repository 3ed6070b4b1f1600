// Spring-damper for all six relative motions of two rigid markers.
#include "items/relative_motion.h"
#include "items/rigid_connector.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

struct ConnectorRigidBodySpringDamper {
  static constexpr std::string_view typeName = "ConnectorRigidBodySpringDamper";
  static constexpr std::string_view aliases[] = {"RigidBodySpringDamper"};
  static constexpr std::string_view summary =
      "linear spring-damper for the six relative motions of two rigid markers";
  static constexpr std::string_view theory =
      "AJ0 = A0 rotationMarker0, AJ1 = A1 rotationMarker1. Default: u = AJ0^T (p1 - p0), r = "
      "angles of AJ0^T AJ1 = Rx(r_0) "
      "Ry(r_1) Rz(r_2), J = AJ0. With intrinsicFormulation (u, r) is the screw motion from frame 0 "
      "to frame 1, exp(u, r) = "
      "(AJ0^T (p1 - p0), AJ0^T AJ1), and J = AJ0 exp(r / 2) the frame halfway. Rates v = J^T (v1 - "
      "v0), w = J^T (w1 - w0) "
      "(world velocities of the points and world angular velocities). (f, m) = K ((u, r) - l_off) "
      "+ D (v, w) acts as "
      "force -J f and torque -J m on marker 1 and the opposite on marker 0; the intrinsic "
      "formulation applies f halfway "
      "between the points: the torque J (u/2) x f acts on both markers, so that the order of the "
      "markers does not matter. "
      "(J. Ambrosio, P. Verissimo, Multibody Syst. Dyn. 22, 2009; screws: R. Murray, Z. Li, S. "
      "Sastry, A Mathematical "
      "Introduction to Robotic Manipulation, CRC 1994.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::DisplacementLocal, OutputVariable::VelocityLocal,
      OutputVariable::Rotation,          OutputVariable::AngularVelocityLocal,
      OutputVariable::ForceLocal,        OutputVariable::TorqueLocal};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Matrix6 stiffness = Matrix6::Zero();
  Matrix6 damping = Matrix6::Zero();
  Matrix3 rotationMarker0 = Matrix3::Identity();
  Matrix3 rotationMarker1 = Matrix3::Identity();
  Vector6 offset = Vector6::Zero();
  bool intrinsicFormulation = false;
  bool activeConnector = true;
  UserFunction springForceTorqueUserFunction;
  UserFunction postNewtonStepUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorRigidBodySpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::nodeNumber>("nodeNumber", "", "",
                              "GenericData node for postNewtonStepUserFunction; -1: none"),
        field<&T::stiffness>("stiffness", "K", "N/m, N m/rad", "stiffness of (u, r) in frame J"),
        field<&T::damping>("damping", "D", "N s/m, N m s/rad", "damping of (v, w) in frame J"),
        field<&T::rotationMarker0>("rotationMarker0", "R_0", "", "connector frame in marker 0"),
        field<&T::rotationMarker1>("rotationMarker1", "R_1", "", "connector frame in marker 1"),
        field<&T::offset>("offset", "l_off", "m, rad",
                          "relative motion (u, r) without spring force"),
        field<&T::intrinsicFormulation>(
            "intrinsicFormulation", "", "",
            "screw motion and halfway frame, independent of the marker order"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        field<&T::springForceTorqueUserFunction>(
            "springForceTorqueUserFunction", "f, m", "N, N m",
            "replaces (f, m), six components; of t, u0..u2, r0..r2, v0..v2, w0..w2, then row by "
            "row the entries of "
            "stiffness k00..k55, damping d00..d55, rotationMarker0 a00..a22, rotationMarker1 "
            "b00..b22, and "
            "offset0..offset5"),
        field<&T::postNewtonStepUserFunction>(
            "postNewtonStepUserFunction", "", "",
            "after a converged Newton run: error (N), recommended step size (s, -1: none), new "
            "data values; of t, "
            "data values z0.., then as springForceTorqueUserFunction from u0"),
    };
    return table;
  }

  struct Resolved {
    CompiledFunction function, postNewton;
    std::vector<Real> arguments;  // of function: t, motion (12), constants
    int data = -1, dataCount = 0;
  };
  static Resolved resolve(const ConnectorRigidBodySpringDamper& c, const std::string& where,
                          const AssemblyView& view) {
    Resolved r;
    const std::vector<std::string> names = motionNames();
    if (c.springForceTorqueUserFunction.defined()) {
      std::vector<std::string> all{"t"};
      all.insert(all.end(), names.begin(), names.end());
      r.function = CompiledFunction(c.springForceTorqueUserFunction, all, 6,
                                    where + ": springForceTorqueUserFunction");
    }
    if (c.postNewtonStepUserFunction.defined()) {
      r.data = dataOf(view, c.nodeNumber, 0, where);
      if (r.data < 0)
        throw ModelError(where +
                         ": postNewtonStepUserFunction needs nodeNumber, a GenericData node");
      r.dataCount = view.layout(c.nodeNumber).data;
      std::vector<std::string> all{"t"};
      for (int i = 0; i < r.dataCount; ++i) all.push_back("z" + std::to_string(i));
      all.insert(all.end(), names.begin(), names.end());
      r.postNewton = CompiledFunction(c.postNewtonStepUserFunction, all, 2 + r.dataCount,
                                      where + ": postNewtonStepUserFunction");
    }
    r.arguments.assign(13, 0.0);
    c.appendConstants(r.arguments);
    return r;
  }
  static std::vector<std::string> motionNames() {
    std::vector<std::string> names;
    const auto list = [&](const char* name, int n) {
      for (int i = 0; i < n; ++i) names.push_back(name + std::to_string(i));
    };
    const auto table = [&](const char* name, int n) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) names.push_back(name + std::to_string(i) + std::to_string(j));
    };
    for (const char* motion : {"u", "r", "v", "w"}) list(motion, 3);
    table("k", 6), table("d", 6), table("a", 3), table("b", 3);
    list("offset", 6);
    return names;
  }
  void appendConstants(std::vector<Real>& arguments) const {
    const auto append = [&](const auto& m) {
      for (int i = 0; i < m.rows(); ++i)
        for (int j = 0; j < m.cols(); ++j) arguments.push_back(m(i, j));
    };
    append(stiffness), append(damping), append(rotationMarker0), append(rotationMarker1),
        append(offset);
  }

  // The relative motion (u, r), its rates (v, w) and the frame J in which they are given.
  template <class S>
  struct Deformation {
    MatrixOf<S, 3, 3> J;
    MatrixOf<S, 12> motion;  // u, r, v, w
  };
  template <class S>
  static Deformation<S> deformation(const ConnectorRigidBodySpringDamper& c,
                                    const PairMotion<S>& motion) {
    using M = MatrixOf<S, 3, 3>;
    const M AJ0 = motion.m0.rotation * lift<S>(c.rotationMarker0);
    const M R = AJ0.transpose() * (motion.m1.rotation * lift<S>(c.rotationMarker1));
    const MatrixOf<S, 3> p = AJ0.transpose() * motion.displacement();
    Deformation<S> d;
    if (c.intrinsicFormulation) {
      const ScrewMotion<S> screw = screwMotion<S>(p, R);
      d.J = AJ0 * screw.half;
      d.motion.template segment<3>(0) = screw.u;
      d.motion.template segment<3>(3) = screw.phi;
    } else {
      d.J = AJ0;
      d.motion.template segment<3>(0) = p;
      d.motion.template segment<3>(3) = taitBryanAngles<S>(R);
    }
    d.motion.template segment<3>(6) = d.J.transpose() * motion.velocity();
    d.motion.template segment<3>(9) = d.J.transpose() * motion.angularVelocity();
    return d;
  }

  template <class S>
  static MatrixOf<S, 6> force(const ConnectorRigidBodySpringDamper& c, Resolved& resolved,
                              Real time, const MatrixOf<S, 12>& x) {
    MatrixOf<S, 6> f;
    if (resolved.function.defined()) {
      resolved.arguments[0] = time;
      evaluateLifted<S>(resolved.function, resolved.arguments, 1, {x.data(), 12}, {f.data(), 6});
      return f;
    }
    const MatrixOf<S, 6> stretch = x.template head<6>() - lift<S>(c.offset);
    const MatrixOf<S, 6> rate = x.template tail<6>();
    for (int i = 0; i < 6; ++i) {  // the matrices are mostly diagonal
      f[i] = S(0);
      for (int j = 0; j < 6; ++j) {
        if (c.stiffness(i, j) != 0) f[i] += S(c.stiffness(i, j)) * stretch[j];
        if (c.damping(i, j) != 0) f[i] += S(c.damping(i, j)) * rate[j];
      }
    }
    return f;
  }

  template <class S>
  static PairWrench<S> wrench(const ConnectorRigidBodySpringDamper& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    using V = MatrixOf<S, 3>;
    const Deformation<S> d = deformation<S>(c, motion);
    const MatrixOf<S, 6> f = force<S>(c, resolved, motion.state.time, d.motion);
    PairWrench<S> w;
    w.force = d.J * f.template head<3>();
    w.torque1 = d.J * f.template tail<3>();
    w.torque0 = -w.torque1;
    if (c.intrinsicFormulation) {
      const V couple = V(d.J * d.motion.template head<3>()).cross(w.force) * S(-0.5);
      w.torque0 += couple;
      w.torque1 += couple;
    }
    return w;
  }

  static bool isDiscontinuous(const ConnectorRigidBodySpringDamper& c, const Resolved& resolved) {
    return c.activeConnector && resolved.postNewton.defined();
  }
  static ElementBatch::PostNewton postNewton(const ConnectorRigidBodySpringDamper& c,
                                             Resolved& resolved, const PairMotion<Real>& motion,
                                             const State&, State& state) {
    const MatrixOf<Real, 12> x = deformation<Real>(c, motion).motion;
    const int n = resolved.dataCount;
    std::vector<Real> arguments{state.time}, results(2 + n);
    arguments.insert(arguments.end(), state.data.data() + resolved.data,
                     state.data.data() + resolved.data + n);
    arguments.insert(arguments.end(), x.data(), x.data() + 12);
    c.appendConstants(arguments);
    resolved.postNewton.evaluate(arguments, results);
    std::copy(results.begin() + 2, results.end(), state.data.data() + resolved.data);
    return {results[0], results[1]};
  }

  static bool output(const ConnectorRigidBodySpringDamper& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const MatrixOf<Real, 12> x = deformation<Real>(c, motion).motion;
    const auto f = [&]() -> Vector6 {
      if (!c.activeConnector) return Vector6::Zero();
      return force<Real>(c, resolved, motion.state.time, x);
    };
    switch (variable) {
      case DisplacementLocal:
        setOutput(out, x.segment<3>(0));
        return true;
      case Rotation:
        setOutput(out, x.segment<3>(3));
        return true;
      case VelocityLocal:
        setOutput(out, x.segment<3>(6));
        return true;
      case AngularVelocityLocal:
        setOutput(out, x.segment<3>(9));
        return true;
      case ForceLocal:
        setOutput(out, f().head<3>());
        return true;
      case TorqueLocal:
        setOutput(out, f().tail<3>());
        return true;
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConnectorBehaviour<ConnectorRigidBodySpringDamper> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ConnectorRigidBodySpringDamper*>(object);
      checkRotation(c.rotationMarker0, "rotationMarker0", where);
      checkRotation(c.rotationMarker1, "rotationMarker1", where);
    }
  };
};

const RegisterObject<ConnectorRigidBodySpringDamper> registered;

}  // namespace
}  // namespace catena
