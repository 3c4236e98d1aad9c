// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.PeFailedException;
import coterie.World;
import coterie.channel.BoundedChannel;
import coterie.channel.ChannelShape;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A PE at one end of a channel fails, and the others go on.
class FailingChannelConformanceTest {

    private static EndedJob run(Class<?> program, PeMode mode) {
        EndedJob job =
                EndedJob.of(EndedJob.spec("failing channel", 3, program, mode).withOnFailure(OnFailure.CONTINUE));
        assertThat(job.exitCode()).as("%s", job.lines()).isZero();
        return job;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CH-15 a producer fails: its items are received, the wait ends, and after a disconnect others come")
    void aProducerFails(PeMode mode) {
        assertThat(run(FailingProducer.class, mode).lines())
                .contains("0 2 items of PE 1", "0 lost [1]", "0 30 items of PE 2", "0 the end");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CH-16 the consumer fails: the waits of all producers end")
    void theConsumerFails(PeMode mode) {
        assertThat(run(FailingConsumer.class, mode).lines())
                .contains("1 lost [0]", "1 lost [0] again", "2 lost [0]", "2 lost [0] again");
    }

    private static BoundedChannel open(World world) {
        return BoundedChannel.open(world.team(), new ChannelShape(ElementType.LONG, 1, 2), 0, 1, 2);
    }

    /// The close of a world throws for a PE that has failed since.
    private static void closeWorld(World world) {
        try {
            world.close();
        } catch (PeFailedException e) {
            assertThat(e.failedPes()).isNotEmpty();
        }
    }

    /// PE 1 sends two items and fails; PE 2 begins when PE 0 has noticed.
    static final class FailingProducer {
        public static void main(String[] args) {
            World world = World.join();
            BoundedChannel channel = open(world);
            if (world.pe() == 0) {
                consume(channel);
            } else if (world.pe() == 1) {
                channel.send(Longs.counting(0, 1), 0, 1);
                channel.send(Longs.counting(1, 1), 0, 1);
                world.context().quiet();
                throw world.fail();
            } else {
                while (!world.team().hasFailed(1)) {
                    world.progress();
                }
                for (int i = 0; i < 30; i++) {
                    channel.send(Longs.counting(i, 1), 0, 1);
                }
                channel.close();
            }
            closeWorld(world);
        }

        private static void consume(BoundedChannel channel) {
            int[] items = new int[3];
            for (long n = 1; n > 0; ) {
                try {
                    n = channel.await();
                    if (n > 0) {
                        items[channel.producer()]++;
                        channel.release();
                    }
                } catch (PeFailedException e) {
                    System.out.println("lost " + e.failedPes());
                    channel.disconnect(e.failedPes().getFirst());
                }
            }
            System.out.println(items[1] + " items of PE 1");
            System.out.println(items[2] + " items of PE 2");
            System.out.println("the end");
        }
    }

    /// PE 0 fails, and the others fill their rings.
    static final class FailingConsumer {
        public static void main(String[] args) {
            World world = World.join();
            BoundedChannel channel = open(world);
            if (world.pe() == 0) {
                channel.await();
                throw world.fail();
            }
            printFailure(channel, "");
            printFailure(channel, " again");
            channel.close();
            closeWorld(world);
        }

        private static void printFailure(BoundedChannel channel, String when) {
            try {
                MemorySegment item = Longs.counting(0, 1);
                while (true) {
                    channel.send(item, 0, 1);
                }
            } catch (PeFailedException e) {
                System.out.println("lost " + e.failedPes() + when);
            }
        }
    }
}
