// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Comparison;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.lang.foreign.MemorySegment;

/// Three PEs, of which PE 1 fails while the streams of the others wait for it. The others print what they see.
public final class FailingStreamProgram {
    private FailingStreamProgram() {}

    /// Runs on each PE.
    public static void main(String[] args) {
        World world = World.join();
        int me = world.pe();
        Team ends = world.team().splitStrided(0, 2, 2);
        SymmetricMemory memory = world.allocate(8 * 64);
        LongView longs = memory.longs();
        if (me == 1) {
            world.team().barrier();
            world.team().syncLiving(); // so that no PE is in the barrier any more
            throw world.fail();
        }
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream waiting = runtime.createStream("waiting");
        WorkStream meeting = runtime.createStream("meeting");
        WorkStream going = runtime.createStream("going");
        SignalWord signal = memory.signal(0);
        waiting.waitUntil(signal, Comparison.GE, 1); // only PE 1 could send it
        waiting.execute(() -> System.out.println("WRONG"));
        world.team().barrier();
        world.team().syncLiving();
        meeting.barrier(world.team());
        System.out.println("wait " + failure(waiting));
        System.out.println("barrier " + failure(meeting));

        going.put(longs, 8, MemorySegment.ofArray(new long[] {me + 100}), 0, 1, 2 - me);
        going.barrier(ends);
        going.synchronize();
        System.out.println("going " + longs.get(8));
        try {
            runtime.close();
        } catch (StreamException e) {
            System.out.println("WRONG " + e); // both failures have been thrown
        }
        try {
            world.close();
        } catch (PeFailedException e) {
            System.out.println("closed " + e.failedPes());
        }
    }

    /// Returns the failure of a stream, which is the same for each call.
    private static String failure(WorkStream stream) {
        String first = thrown(stream::synchronize);
        String again = thrown(stream::query);
        String enqueued = thrown(() -> stream.execute(() -> {}));
        return first.equals(again) && first.equals(enqueued) ? first : "WRONG " + first + again + enqueued;
    }

    private static String thrown(Runnable call) {
        try {
            call.run();
        } catch (StreamException e) {
            return e.error() + " " + (e.getCause() instanceof PeFailedException failure ? failure.failedPes() : e);
        }
        return "nothing";
    }
}
