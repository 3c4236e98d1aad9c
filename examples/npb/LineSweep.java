// SPDX-License-Identifier: Apache-2.0

/// Solves lines along z, and adds the solutions to the state. Each PE has a part of these lines, and there is a pipeline: as soon as a PE has eliminated in its part of
/// one set of lines, it sends what the next PE needs of it, and continues with the next set. The last PE substitutes at
/// once, and the solutions come back in the same way. So the PEs work at the same time, on different sets.
///
/// A box for each set is enough: PEs that are neighbours exchange halos before each time step.
final class LineSweep {
    private final GasSlab slab;
    private final GasLines[] lines; // a set for each row of a plane
    private final LineSolver solver;
    private final GasHalos messages;
    private final double[][] carried, solved; // rows of a message

    /// Collective.
    LineSweep(GasSlab slab, LineSolver solver) {
        this.slab = slab;
        lines = slab.alongZ;
        this.solver = solver;
        carried = new double[solver.reach() * solver.carried()][];
        solved = new double[solver.reach() * 5][];
        messages = new GasHalos(slab.world, slab.active, lines.length, carried.length, lines.length);
    }

    /// Solves all lines.
    void solve() {
        if (slab.planes == 0) return;
        for (int j = 1; j < lines.length - 1; j++) {
            int set = messages.hasAbove() ? 1 + j : 1;
            if (messages.hasBelow()) messages.receiveFromBelow(j, carried(j, set, -solver.reach()), carried.length);
            solver.eliminate(lines[j], set, slab.from, slab.end);
            if (messages.hasAbove()) {
                messages.sendUp(j, carried(j, set, slab.planes - solver.reach()), carried.length);
            } else {
                substitute(j, set);
            }
        }
        if (!messages.hasAbove()) return;
        for (int j = 1; j < lines.length - 1; j++) {
            messages.receiveFromAbove(j, solved(j, slab.planes), solved.length);
            substitute(j, 1 + j);
        }
    }

    private void substitute(int j, int set) {
        solver.substitute(lines[j], set, slab.from, slab.end);
        if (messages.hasBelow()) messages.sendDown(j, solved(j, 0), solved.length);
        for (int k = slab.from; k < slab.end; k++) {
            int row = lines[j].row(k);
            solver.leave(slab.rows, row, 2);
            slab.add(row);
        }
    }

    private double[][] carried(int j, int set, int position) {
        for (int i = 0; i < solver.reach(); i++) {
            solver.carry(lines[j], set, position + i, carried, i * solver.carried());
        }
        return carried;
    }

    private double[][] solved(int j, int position) {
        for (int i = 0; i < solver.reach(); i++) {
            int row = lines[j].row(position + i);
            for (int number = 0; number < 5; number++) solved[5 * i + number] = lines[j].rows().right[number][row];
        }
        return solved;
    }
}
