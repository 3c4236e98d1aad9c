// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What the members of a team let each other have; it comes some time after it was begun.
public interface Exchange {

    /// Whether it has come.
    boolean isDone();

    /// What a member gave.
    ///
    /// @throws IllegalStateException if it has not come
    byte[] get(int member);
}
