// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

/// A PE has no memory for a team's lines. The message has the sizes, but neither operation nor PE: the classes of
/// this package catch the exception and throw one of their own.
final class SyncMemoryException extends Exception {
    private static final long serialVersionUID = 1;

    SyncMemoryException(String message) {
        super(message);
    }
}
