// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import org.jspecify.annotations.Nullable;

/// Decides whether the agent of a host is silent for too long. An agent sends something in each quarter of the time
/// that it may be silent; a thread of the launcher looks as often.
///
/// The agent is silent for the time of one read of the launcher that does not return. So a launcher that does not read,
/// since the reader of its own output is slow, hears no silence; and one that has stood still itself counts that as one
/// pause.
final class AgentSilence {
    private static final int MESSAGES_PER_SILENCE = 4;

    private final String host;
    private final int silenceMillis;
    private final int joinMillis;
    private long lastRead;
    private long pauses;

    /// @param silenceMillis for how long the agent may be silent
    /// @param joinMillis for how long it may be so before its first bytes: a remote shell may ask for a password
    AgentSilence(String host, int silenceMillis, int joinMillis) {
        this.host = host;
        this.silenceMillis = silenceMillis;
        this.joinMillis = joinMillis;
    }

    /// Returns the time between two looks, and between two messages of an agent.
    static long pauseMillis(int silenceMillis) {
        return Math.max(1, silenceMillis / MESSAGES_PER_SILENCE);
    }

    /// Looks once, a pause after the look before.
    ///
    /// @param read number of the launcher's current read, 0 if it does not read
    /// @param hasSpoken whether the agent has sent something yet
    /// @return one phrase if the agent is silent for too long, else null
    @Nullable
    String look(long read, boolean hasSpoken) {
        pauses = read != 0 && read == lastRead ? pauses + 1 : 0;
        lastRead = read;
        int limitMillis = hasSpoken ? silenceMillis : Math.max(silenceMillis, joinMillis);
        if (pauses * pauseMillis(silenceMillis) < limitMillis) {
            return null;
        }
        return "the agent of host " + host + (hasSpoken ? " has sent nothing for " : " has not answered within ")
                + limitMillis + " ms";
    }
}
