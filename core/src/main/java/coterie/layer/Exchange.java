// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// An exchange of bytes between all members of a team, which [TeamParameters#exchange] has begun.
public interface Exchange {

    /// Returns whether the bytes of all members have arrived.
    boolean isDone();

    /// Returns the bytes that a member passed.
    ///
    /// @throws IllegalStateException if the exchange is not done
    byte[] get(int member);
}
