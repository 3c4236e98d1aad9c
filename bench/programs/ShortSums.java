// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Time of an allReduce between all PEs: sums of `float`s, of bfloat16 and of halves, by turns, medians of 9 rounds.
///
/// Run: `coterie run -n 2 ShortSums.java [ELEMENTS]...`
/// Prints: for each number of elements the microseconds of each type.
void main(String[] args) {
    World world = World.join();
    Team team = world.team();
    for (String arg : args.length > 0 ? args : new String[] {"16384", "131072", "1048576"}) {
        int count = Integer.parseInt(arg), repetitions = Math.max(20, (1 << 24) / count);
        ElementType[] types = {ElementType.FLOAT, ElementType.BFLOAT16, ElementType.HALF};
        double[][] micros = new double[types.length][ROUNDS];
        ElementView[] views = new ElementView[types.length];
        Arrays.setAll(views, i -> world.allocate(2L * count * types[i].byteSize()).elements(types[i]));
        for (int round = -WARM; round < ROUNDS; round++) {
            for (int i = 0; i < types.length; i++) {
                team.barrier();
                long start = System.nanoTime();
                for (int n = 0; n < repetitions; n++) team.allReduce(Reduction.SUM, views[i], count, views[i], 0, count);
                if (round >= 0) micros[i][round] = (System.nanoTime() - start) / 1e3 / repetitions;
            }
        }
        for (ElementView view : views) view.memory().close();
        if (world.pe() != 0) continue;
        for (double[] each : micros) Arrays.sort(each);
        IO.println("%8d elements  float %8.1f us  bfloat16 %8.1f us  half %8.1f us".formatted(
                count, micros[0][ROUNDS / 2], micros[1][ROUNDS / 2], micros[2][ROUNDS / 2]));
    }
}

static final int ROUNDS = 9, WARM = 3;
