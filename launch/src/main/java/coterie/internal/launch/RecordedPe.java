// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.record.RecordedCollectives;
import coterie.internal.record.RecordedLane;
import coterie.spi.PeState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A PE as others see it.
///
/// @param doing for people, such as "waiting in barrier #88"
/// @param pid of its process; 0 before it has started
/// @param isStopped whether its process is suspended
/// @param hasThreads whether threads of its program live beside the waiting one
/// @param ownCode code of the program that its waits call, or that can't be seen; for people
/// @param moves how often work of the PE has moved while it waited
/// @param waiting what a thread waits for; null if none waits for long
/// @param lanes of its streams, and of threads that wait for them
/// @param unrecorded open lanes of which nothing is known
/// @param collectives for each team, by its text, the collectives that its lanes have got
public record RecordedPe(
        int pe,
        PeState state,
        String doing,
        long pid,
        boolean isStopped,
        boolean hasThreads,
        List<String> ownCode,
        long moves,
        @Nullable RecordedWait waiting,
        List<RecordedLane> lanes,
        long unrecorded,
        Map<String, RecordedCollectives> collectives) {
    public RecordedPe {
        ownCode = List.copyOf(ownCode);
        lanes = List.copyOf(lanes);
        collectives = Map.copyOf(collectives);
    }
}
