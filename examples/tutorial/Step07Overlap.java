// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.collective.*;

static final int LENGTH = 1000;

/// Step 7 of docs/tutorial.md.
void main() {
    World world = World.join();
    DoubleView mine = world.allocate(LENGTH * Double.BYTES).doubles();
    DoubleView total = world.allocate(LENGTH * Double.BYTES).doubles();
    for (int i = 0; i < LENGTH; i++) mine.set(i, i * (world.pe() + 1));

    Collective sum = Collective.allReduce(Reduction.SUM).source(mine, 0, LENGTH).target(total, 0, LENGTH);
    try (Request request = world.team().prepare(sum)) {
        request.post();
        long primes = IntStream.range(2, 10_000).filter(this::isPrime).count();
        request.await();
        if (world.pe() == 0) {
            IO.println("the last sum is " + total.get(LENGTH - 1) + "; meanwhile PE 0 found " + primes + " primes");
        }
    }
}

boolean isPrime(int n) {
    return IntStream.rangeClosed(2, (int) Math.sqrt(n)).allMatch(divisor -> n % divisor != 0);
}
