// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// An exchange of bytes between all members of a team, which [TeamParameters#exchange] has begun.
public interface Exchange {

    /// Returns whether the bytes of all members have arrived.
    ///
    /// @throws RuntimeException if they won't: a member has failed, the team has ended or been revoked, or a layer
    ///     that provides exchanges has failed
    boolean isDone();

    /// Returns the bytes that a member passed.
    ///
    /// @throws IllegalStateException if the exchange is not done
    byte[] get(int member);
}
