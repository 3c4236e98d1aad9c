// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.network.OperationObserver;

/// How a PE touches bytes.
enum AccessKind {
    PUT("put", false),
    WORD("put of a word", false),
    SIGNAL("signal", true),
    ATOMIC("atomic", true),
    COMPARE("compare-and-swap", true),
    FETCH("atomic fetch", true),
    GET("get", false),
    SOURCE("read as the source of an operation", false),
    READ("read", false),
    WRITE("write", false);

    private final String words;

    /// Whether it does not race with others that are.
    final boolean atomic;

    AccessKind(String words, boolean atomic) {
        this.words = words;
        this.atomic = atomic;
    }

    static AccessKind of(OperationObserver.Kind kind) {
        return switch (kind) {
            case PUT -> PUT;
            case WORD -> WORD;
            case UPDATE, ATOMIC -> ATOMIC;
            case COMPARE -> COMPARE;
            case FETCH -> FETCH;
            case GET -> GET;
        };
    }

    /// What people call it.
    String label() {
        return words;
    }

    /// The same, with its article.
    String named() {
        return (atomic && this != SIGNAL && this != COMPARE ? "an " : "a ") + words;
    }

    boolean isPut() {
        return this == PUT || this == WORD;
    }

    /// Whether many of these that a PE does at one time share one note of it.
    boolean isShared() {
        return this == READ || this == WRITE;
    }
}
