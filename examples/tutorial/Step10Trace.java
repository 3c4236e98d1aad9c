// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 10 of docs/tutorial.md.
void main() {
    World world = World.join();
    SignalWord turn = world.allocate(Long.BYTES).signal(0);

    if (world.pe() > 0) turn.waitUntil(Comparison.GE, 1);
    long primes = IntStream.range(2, 50_000)
            .filter(n -> n % world.size() == world.pe() && isPrime(n))
            .count();
    if (world.pe() < world.size() - 1) turn.set(1, world.pe() + 1);

    long all = world.team().sum(primes);
    if (world.pe() == 0) IO.println(all + " primes");
}

boolean isPrime(int n) {
    return IntStream.rangeClosed(2, (int) Math.sqrt(n)).allMatch(divisor -> n % divisor != 0);
}
