// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

/// The teams that this PE has closed, and that other members may not have closed yet: their memory is still in use.
public interface ClosedTeams {
    /// None, before there are teams.
    ClosedTeams NONE = new ClosedTeams() {
        @Override
        public void release() {
            // has nothing to release
        }

        @Override
        public String text() {
            return "";
        }
    };

    /// Releases the memory of those that all members have closed.
    void release();

    /// Returns which team another member has not closed, for messages; or an empty string.
    String text();
}
