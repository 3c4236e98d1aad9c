// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

/// What goes on behind the last step of a plan, and is not a plan's: what it does, nobody here can see.
public interface Continuation {

    /// Begins, when the plan is through.
    ///
    /// @param number of the run, the same on all members, and no other's
    void begin(long number);

    /// Goes on without waiting, and says whether it is over.
    boolean progress();

    /// Ends badly, at the latest now.
    void stop(RuntimeException why);

    /// Lets go of all.
    void close();
}
