// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.channel.*;

/// The rate of a channel between two PEs, for bench/channel.sh, as bench/c/channel.c has it for a ring by hand.
///
/// Run: `coterie run -n 2 ChannelRate.java BYTES SLOTS SECONDS`
/// Prints: the median of the rates of tenths of the time, in messages per second.
void main(String[] args) {
    int bytes = Integer.parseInt(args[0]), slots = Integer.parseInt(args[1]), parts = 10, warmUp = 5;
    double seconds = Double.parseDouble(args[2]);
    World world = World.join();
    double[] rates = new double[parts];
    try (BoundedChannel channel = BoundedChannel.open(
            world.team(), new ChannelShape(ElementType.BYTE, bytes, slots), 1, 0)) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, 64);
        if (world.pe() == 1) {
            consume(channel, memory);
            return;
        }
        for (int part = -warmUp; part < parts; part++) {
            long start = System.nanoTime(), sent = channel.sent();
            while (System.nanoTime() - start < 1e9 * seconds / parts) produce(channel, memory, bytes);
            double rate = (channel.sent() - sent) / ((System.nanoTime() - start) / 1e9);
            if (part >= 0) rates[part] = rate;
        }
    }
    Arrays.sort(rates);
    IO.println("%.0f".formatted((rates[parts / 2 - 1] + rates[parts / 2]) / 2));
}

void produce(BoundedChannel channel, MemorySegment source, int bytes) {
    for (int i = 0; i < 1000; i++) channel.send(source, 0, bytes);
}

void consume(BoundedChannel channel, MemorySegment target) {
    while (channel.receive(target, 0) > 0) continue;
}
