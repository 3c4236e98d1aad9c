// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/// Steps of time of the flow of a gas. The equations of a step are solved approximately: a product of three systems,
/// each of which has lines along one axis only.
///
/// One plane after the other gets its right-hand side and is solved along x and y, while the caches have it. Lines
/// along z go through the slabs of all PEs, see [LineSweep].
final class GasSteps {
    private final GasSlab slab;
    private final LineSolver solver;
    private final LineSweep sweep;

    /// Collective.
    GasSteps(GasSlab slab, LineSolver solver) {
        this.slab = slab;
        this.solver = solver;
        sweep = new LineSweep(slab, solver);
    }

    /// Runs a benchmark.
    ///
    /// @param operations of a step
    /// @param expected norms, residuals and then errors
    void run(Npb npb, int iterations, double operations, double[] expected) {
        slab.prepare();
        slab.begin();
        advance(); // the compiler's turn
        slab.begin();
        long start = npb.start();
        for (int i = 0; i < iterations; i++) advance();
        double seconds = npb.seconds(start);

        double[] errors = slab.errors(), residuals = slab.residuals();
        double[] norms = Arrays.copyOf(residuals, 10);
        System.arraycopy(errors, 0, norms, 5, 5);
        boolean right = true;
        for (int i = 0; i < 10; i++) right &= Npb.near(norms[i], expected[i], 1e-8);
        npb.print("the norms of the residuals are %.13e %.13e %.13e %.13e %.13e", box(residuals));
        npb.print("the norms of the errors are    %.13e %.13e %.13e %.13e %.13e", box(errors));
        String size = "%1$4dx%1$4dx%1$4d".formatted(slab.points);
        npb.report(size, iterations, seconds, iterations * operations, "floating point", right);
    }

    private static Object[] box(double[] values) {
        return Arrays.stream(values).boxed().toArray();
    }

    private void advance() {
        GasRows rows = slab.rows;
        slab.exchange();
        rows.derive(slab.row(0, -1), slab.row(0, 1));
        for (int k = 0; k < slab.planes; k++) {
            rows.derive(slab.row(0, k + 1), slab.row(0, k + 2));
            if (k < slab.from || k >= slab.end) continue;
            slab.rightSide(k);
            for (int i = 1; i < slab.points - 1; i++) solver.enter(slab.turned, slab.alongX.row(i));
            solve(slab.alongX);
            slab.turnBack(k);
            solve(slab.alongY[k]);
        }
        sweep.solve();
    }

    private void solve(GasLines lines) {
        int end = slab.points - 1;
        solver.eliminate(lines, 1, end);
        solver.substitute(lines, 1, end);
        for (int i = 1; i < end; i++) solver.leave(lines.rows(), lines.row(i), lines.axis());
    }
}
