// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The statements that the images of a team call together. Their order is that of bits in [TeamStatements].
enum StatementKind {
    SYNC("sync"),
    FORM_TEAM("form team"),
    CHANGE_TEAM("change team"),
    END_TEAM("end team"),
    CLOSE("close"),
    DEALLOCATE("deallocate"),
    LONGS("allocate", "LONG"),
    INTS("allocate", "INT"),
    SHORTS("allocate", "SHORT"),
    BYTES("allocate", "BYTE"),
    FLOATS("allocate", "FLOAT"),
    DOUBLES("allocate", "DOUBLE"),
    RECORDS("allocate", "record"),
    EVENTS("allocate", "event"),
    NOTIFICATIONS("allocate", "notification"),
    LOCKS("allocate", "lock"),
    CHECKPOINT("allocate", "checkpoint"),
    CRITICAL("allocate", "critical"),
    TEXT_MIN("min", "text"),
    TEXT_MAX("max", "text"),
    TEXT_BROADCAST("broadcast", "text"),
    SUM("sum"),
    MIN("min"),
    MAX("max"),
    REDUCE("reduce"),
    BROADCAST("broadcast");

    private static final StatementKind[] ALL = values();

    private final String operation;
    private final String elements;

    StatementKind(String operation) {
        this(operation, "");
    }

    StatementKind(String operation, String elements) {
        this.operation = operation;
        this.elements = elements;
    }

    /// Returns the kind of a code of [#code].
    static StatementKind of(int code) {
        return ALL[code - 1];
    }

    /// Returns a number in `[1, 255]`.
    int code() {
        return ordinal() + 1;
    }

    /// Returns the statement's name, as messages have it.
    String operation() {
        return operation;
    }

    /// Returns what the statement allocates or combines; empty if its name says all.
    String elements() {
        return elements;
    }

    boolean isAllocation() {
        return compareTo(LONGS) >= 0 && compareTo(CRITICAL) <= 0;
    }

    /// Returns a text such as "allocate of LONG".
    @Override
    public String toString() {
        return elements.isEmpty() ? operation : operation + " of " + elements;
    }
}
