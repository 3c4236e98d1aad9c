// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.network.OperationObserver;

/// The kinds of access to bytes.
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

    private final String label;

    /// Whether accesses of this kind do not race with each other.
    final boolean atomic;

    AccessKind(String label, boolean atomic) {
        this.label = label;
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

    /// Returns the name in reports.
    String label() {
        return label;
    }

    /// Returns the name in reports with its article.
    String labelWithArticle() {
        return (atomic && this != SIGNAL && this != COMPARE ? "an " : "a ") + label;
    }

    boolean isPut() {
        return this == PUT || this == WORD;
    }

    /// Returns whether a PE's accesses of this kind at one time of its clock share one note.
    boolean isShared() {
        return this == READ || this == WRITE;
    }
}
