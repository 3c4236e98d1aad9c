// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.internal.wait.OperationKind;

/// The last two rounds of a team: in the first any member may object, in the second all see that no member will write
/// to their lines any more. A single round would not do: a member that votes late on the
/// verdict writes to member 0's lines after it.
///
/// @param teamSync the rounds of the team
public record TeamTeardown(TeamSync teamSync) {
    private static final int OBJECTS = 0;

    /// What is done for it, on each member.
    public interface Teardown {
        /// Members are about to come: completes what is under way, and tells those that wait for me elsewhere.
        void begin();

        /// All have come, and no member objects: from now on no member writes to the lines of another.
        void end();

        /// The team lives on.
        ///
        /// @param isVerdict whether all members know it; else something went wrong
        void resume(boolean isVerdict);
    }

    /// Parts, unless a member objects.
    ///
    /// @param objects whether I do
    /// @return the member that objects, the same on all, or −1 if the team is no more
    public int run(boolean objects, Teardown teardown) {
        try (CallGate.Passage _ = teamSync.gate().enterToEnd(OperationKind.DESTROY)) {
            return teamSync.hasMissed() ? alone(objects, teardown) : withAll(objects, teardown);
        }
    }

    private int withAll(boolean objects, Teardown teardown) {
        boolean isDecided = false;
        int objector = 0;
        try {
            teardown.begin();
            SyncRound round = teamSync.syncRound();
            round.send(OBJECTS, objects ? 1 : 0);
            int known = hasMet(() -> teamSync.synchroniseEnd(OperationKind.DESTROY, 1))
                    ? round.firstWith(OBJECTS, 1)
                    : objects ? teamSync.membership().me() : -1;
            objector = (int) round.decide(known + 1) - 1;
            isDecided = true;
            if (objector < 0) {
                teardown.end();
                hasMet(() -> teamSync.synchroniseLast(OperationKind.DESTROY));
            }
            return objector;
        } finally {
            if (objector >= 0) {
                teardown.resume(isDecided);
            }
        }
    }

    /// Parts without the others, which need not come any more.
    private int alone(boolean objects, Teardown teardown) {
        if (objects) {
            return teamSync.membership().me();
        }
        teardown.begin();
        teardown.end();
        return -1;
    }

    /// Meets, and returns whether all have come; where members have failed, the team ends without them, and without the
    /// votes of those that are late.
    private static boolean hasMet(Runnable round) {
        try {
            round.run();
            return true;
        } catch (CollectiveMismatchException e) {
            throw e;
        } catch (CoterieException e) {
            return false;
        }
    }
}
