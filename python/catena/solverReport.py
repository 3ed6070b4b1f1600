"""What a run tells about itself; kept in mbs.sys['dynamicSolver'] or mbs.sys['staticSolver']."""

from types import SimpleNamespace


class _Progress:
    """Time and counts; during a run those of the step under way."""

    def __init__(self, core, settings):
        self._core = core
        self.startTime, self.endTime = settings.timeIntegration.startTime, settings.timeIntegration.endTime
        self.newtonJacobiCount = self.discontinuousIterationsCount = self.rejectedSteps = 0

    currentTime = property(lambda self: self._core.currentStep()[0], doc='Time at the end of the step [s].')
    currentStepSize = property(lambda self: self._core.currentStep()[1], doc='Step size [s].')
    currentStepIndex = property(lambda self: self._core.currentStep()[2] + 1,
                                doc='Number of the step under way, the first is 1.')
    newtonStepsCount = property(lambda self: self._core.currentStep()[3], doc='Newton iterations so far.')


class SolverReport:
    """Counts, times and outcome of a run, under the names that scripts look for (it, conv, timer).

    report has all of them as a dictionary once the run is over.
    """

    def __init__(self, core, settings, solver):
        self.settings = settings
        self._solver = solver
        self.it = _Progress(core, settings)
        self.conv = SimpleNamespace(newtonConverged=False)
        self.timer = SimpleNamespace()
        self.report = {}

    def finish(self, report):
        """Takes over the figures of a finished run and prints what the settings ask for."""
        self.report = report
        self.it.newtonJacobiCount = report['jacobians']
        self.it.discontinuousIterationsCount = report['discontinuousIterations']
        self.it.rejectedSteps = report['rejectedSteps']
        self.conv.newtonConverged = report['outcome'] != 'not converged'
        self.timer = SimpleNamespace(**report['seconds'])
        self._print()

    def GetErrorString(self):
        """Why the run ended early; empty if it did not."""
        return self.report.get('message', '')

    def GetSolverName(self):
        """Name of the solver."""
        if self._solver != 'dynamic':
            return self._solver
        alpha = self.settings.timeIntegration.generalizedAlpha
        return 'implicit Newmark' if alpha.useNewmark else 'implicit generalized-alpha'

    def __str__(self):
        if not self.report:
            return 'running'
        r, s = self.report, self.report['seconds']
        lines = [f"{r['outcome']} at t = {r['time']:.10g} s: {r['steps']} steps, {r['rejectedSteps']} rejected, "
                 f"{r['newtonIterations']} Newton iterations, {r['jacobians']} Jacobians ({r['linearSolver']})",
                 'seconds: ' + ', '.join(f'{name} {value:.3g}' for name, value in s.items())]
        if r['userFunctionCalls']:
            lines.append(f"Python functions of items: {r['userFunctionCalls']} calls")
        return '\n'.join(lines)

    def _print(self):
        from catena.output import Print
        text = str(self).splitlines()
        verbose = (self.settings.staticSolver if self._solver == 'static' else self.settings.timeIntegration).verboseMode
        if self.settings.displayStatistics or verbose > 0:
            Print(text[0])
        if self.settings.displayComputationTime:
            Print('\n'.join(text[1:]))
