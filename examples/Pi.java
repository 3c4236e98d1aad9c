// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Pi: the area under 4 / (1 + x²) between 0 and 1, by the midpoint rule; each PE adds up its share of the strips.
///
/// Shows: work divided by PE number, and a sum over the team that every member gets.
///
/// Run: `coterie run -n 4 Pi.java [STRIPS]`
///
/// Prints: `pi is 3.141592653590 (3.6e-14 off), from 100000000 strips on 4 PEs in 0.09 s`. The program fails if
/// the error is larger than the midpoint rule allows.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES Pi.java [STRIPS]\nComputes pi from 100000000 strips, or STRIPS.");
        }
        return;
    }
    long strips = args.length == 0 ? 100_000_000 : Long.parseLong(args[0]);
    long start = System.nanoTime();

    long from = strips * world.pe() / world.size();
    long to = strips * (world.pe() + 1) / world.size();
    double pi = world.team().sum(area(strips, from, to));

    double error = Math.abs(pi - Math.PI);
    double allowed = 1.0 / strips / strips + 1e-11; // the rule's error is 1 / (12 strips²); the rest is rounding
    if (!(error <= allowed)) {
        throw new IllegalStateException("pi is " + pi + ", its error " + error + "; allowed is " + allowed);
    }
    if (world.pe() == 0) {
        IO.println("pi is %.12f (%.1e off), from %d strips on %d PEs in %.2f s"
                .formatted(pi, error, strips, world.size(), (System.nanoTime() - start) / 1e9));
    }
}

/// Returns the area of the strips `[from, to)` of `strips`.
double area(long strips, long from, long to) {
    double width = 1.0 / strips;
    double sum = 0;
    for (long i = from; i < to; i++) {
        double x = (i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    return sum * width;
}
