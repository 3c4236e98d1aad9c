// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

/// What a recorded operation does. The ordinal is in the files: 0 is a slot without an event.
public enum EventKind {
    /// no event
    NONE("nothing"),
    /// writes bytes to a PE
    PUT("put"),
    /// reads bytes from a PE
    GET("get"),
    /// changes a word of a PE, or reads it atomically
    ATOMIC("atomic"),
    /// writes bytes to a PE, and then updates a word there
    PUT_SIGNAL("put with signal"),
    /// orders or completes earlier operations: fence, quiet, completion of a ticket
    ORDER("fence, quiet"),
    /// waits for a word of its own PE
    WAIT("wait"),
    /// meets the members of a team
    COLLECTIVE("collective"),
    /// waits for a request
    REQUEST("request"),
    /// waits for a lock
    LOCK("lock"),
    /// runs code of the program: a host function, a kernel, a graph
    RUN("run"),
    /// waits for operations of a stream
    STREAM("stream"),
    /// another operation of a stream
    OTHER("other"),
    /// does a part of a collective by a layer that plugs in
    STAGE("stage of a collective");

    private final String label;

    EventKind(String label) {
        this.label = label;
    }

    /// Returns whether it copies bytes between PEs.
    public boolean movesBytes() {
        return this == PUT || this == GET || this == PUT_SIGNAL;
    }

    /// Returns the name for people.
    public String label() {
        return label;
    }
}
