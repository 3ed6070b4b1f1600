// The chain of `catena generate chain` in Simbody, with pins and its default integrator, to compare
// speed at equal accuracy: catena_simbody BODIES ACCURACY prints the position of the last body
// after one second and the seconds that the integration took.
#include <Simbody.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace SimTK;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: catena_simbody BODIES ACCURACY\n");
    return 2;
  }
  const int bodies = std::atoi(argv[1]);
  const double accuracy = std::atof(argv[2]);

  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, 0, 9.81));
  const double mass = 4;  // a bar of 0.4 x 0.1 x 0.1 m
  const Inertia inertia(mass / 12 * 0.02, mass / 12 * 0.17, mass / 12 * 0.17);
  const Body::Rigid bar(MassProperties(mass, Vec3(0), inertia));
  const Rotation turn = Rotation(0.01 * Pi, XAxis) * Rotation(0.02 * Pi, ZAxis);
  MobilizedBody last = matter.updGround();
  for (int i = 0; i < bodies; ++i) {
    const Transform inLast = i == 0 ? Transform() : Transform(turn, Vec3(0.2, 0, 0));
    last = MobilizedBody::Pin(last, inLast, bar, Transform(Vec3(-0.2, 0, 0)));
  }

  State state = system.realizeTopology();
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(system, integrator);
  const auto start = std::chrono::steady_clock::now();
  stepper.initialize(state);
  stepper.stepTo(1);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const Vec3 p = last.getBodyOriginLocation(stepper.getState());
  std::printf("{\"position\": [%.15g, %.15g, %.15g], \"seconds\": %.6g, \"steps\": %d}\n", p[0],
              p[1], p[2], taken.count(), integrator.getNumStepsTaken());
  return 0;
}
