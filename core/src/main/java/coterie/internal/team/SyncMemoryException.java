// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

/// A PE has no memory for a team's lines; the message says how much, without naming operation and PE. It never
/// leaves this room: the members agree on what to do.
final class SyncMemoryException extends Exception {
    private static final long serialVersionUID = 1;

    SyncMemoryException(String message) {
        super(message);
    }
}
