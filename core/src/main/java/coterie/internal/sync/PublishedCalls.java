// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

/// What members have called for without a round, where the others can read it: what a notice of failure looks into.
public interface PublishedCalls {
    /// Says that this member does not take part in calls to come.
    void leave();

    /// Returns whether a member has said so.
    boolean hasLeft(int member);

    /// Returns what members differ in, for messages, as far as it is known here.
    ///
    /// @param finder that has found the difference, and stays in that call
    String difference(int finder);
}
