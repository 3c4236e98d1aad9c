// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

/// An exception that other members are told of in words of its own.
public interface ToldCause {

    /// Returns the words; what exceeds 64 bytes is cut.
    String told();
}
