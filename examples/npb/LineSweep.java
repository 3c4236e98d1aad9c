// SPDX-License-Identifier: Apache-2.0

/// Solves lines along z, of which each PE has a part, and adds the solutions to the state.
///
/// The PEs are a pipeline: as soon as a PE has eliminated in its part of one set of lines, it sends what the next PE
/// needs of it, and continues with the next set. The last PE substitutes at once, and the solutions come back in the
/// same way. So the PEs work at the same time, on different sets. A set has one box for its messages, which is empty
/// when the next step begins: PEs that are neighbours exchange halos first.
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
            if (messages.hasBelow()) messages.receiveFromBelow(j, carried(j, -solver.reach()), carried.length);
            solver.eliminate(lines[j], slab.from, slab.end);
            if (messages.hasAbove()) {
                messages.sendUp(j, carried(j, slab.planes - solver.reach()), carried.length);
            } else {
                substitute(j);
            }
        }
        if (!messages.hasAbove()) return;
        for (int j = 1; j < lines.length - 1; j++) {
            messages.receiveFromAbove(j, solved(j, slab.planes), solved.length);
            substitute(j);
        }
    }

    private void substitute(int j) {
        solver.substitute(lines[j], slab.from, slab.end);
        if (messages.hasBelow()) messages.sendDown(j, solved(j, 0), solved.length);
        for (int k = slab.from; k < slab.end; k++) {
            int row = lines[j].row(k);
            solver.leave(slab.rows, row, 2);
            slab.add(row);
        }
    }

    private double[][] carried(int j, int position) {
        for (int i = 0; i < solver.reach(); i++) {
            solver.carry(lines[j], position + i, carried, i * solver.carried());
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
