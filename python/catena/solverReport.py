"""What a run tells about itself; kept in mbs.sys['dynamicSolver']."""

from types import SimpleNamespace


class SolverReport:
    """Counts, times and outcome of a run, under the names that scripts look for (it, conv, timer)."""

    def __init__(self, report, settings):
        self.report = report
        self.settings = settings
        time = settings.timeIntegration
        steps = max(report['steps'], 1)
        self.it = SimpleNamespace(
            currentTime=report['time'], currentStepIndex=report['steps'],
            currentStepSize=(report['time'] - time.startTime) / steps, startTime=time.startTime, endTime=time.endTime,
            newtonStepsCount=report['newtonIterations'], newtonJacobiCount=report['jacobians'],
            discontinuousIterationsCount=report['discontinuousIterations'],
            rejectedAutomaticStepSizeSteps=report['rejectedSteps'])
        self.conv = SimpleNamespace(newtonConverged=report['outcome'] != 'not converged')
        self.timer = SimpleNamespace(**report['seconds'])

    def GetErrorString(self):
        """Why the run ended early; empty if it did not."""
        return self.report['message']

    def GetSolverName(self):
        """Name of the integrator."""
        alpha = self.settings.timeIntegration.generalizedAlpha
        return 'implicit Newmark' if alpha.useNewmark else 'implicit generalized-alpha'

    def __str__(self):
        r, s = self.report, self.report['seconds']
        lines = [f"{r['outcome']} at t = {r['time']:.10g} s: {r['steps']} steps, {r['rejectedSteps']} rejected, "
                 f"{r['newtonIterations']} Newton iterations, {r['jacobians']} Jacobians ({r['linearSolver']})",
                 'seconds: ' + ', '.join(f'{name} {value:.3g}' for name, value in s.items())]
        if r['userFunctionCalls']:
            lines.append(f"Python functions of items: {r['userFunctionCalls']} calls")
        return '\n'.join(lines)

    def print_as_asked(self):
        """Prints what displayStatistics, displayComputationTime and verboseMode ask for."""
        from catena import Print
        text = str(self).splitlines()
        if self.settings.displayStatistics or self.settings.timeIntegration.verboseMode > 0:
            Print(text[0])
        if self.settings.displayComputationTime:
            Print('\n'.join(text[1:]))
