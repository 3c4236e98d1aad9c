// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.Locale;

/// A row of `coterie scale`.
///
/// @param pes of the job
/// @param nanos what the exchange takes, by the job's own clock
/// @param realMillis what it takes the machine that simulates it
/// @param heapBytes live objects of the JVM, for each PE
/// @param residentBytes most memory of any kind that the JVM has had at once, for each PE
record Prediction(
        int pes,
        Scale.ScaledOperation scaledOperation,
        long nanos,
        double realMillis,
        long heapBytes,
        long residentBytes) {
    static final String HEADER = "pes,operation,predicted_ns,real_ms,heap_bytes_per_pe,resident_bytes_per_pe";

    private static final int COLUMNS = HEADER.split(",").length;

    String row() {
        return String.format(
                Locale.ROOT,
                "%d,%s,%d,%.3f,%d,%d",
                pes,
                scaledOperation.name().toLowerCase(Locale.ROOT),
                nanos,
                realMillis,
                heapBytes,
                residentBytes);
    }

    /// This row with the measured memory.
    Prediction with(long heap, long resident) {
        return new Prediction(pes, scaledOperation, nanos, realMillis, heap, resident);
    }

    /// Reads a row.
    ///
    /// @throws IllegalArgumentException if it is none
    static Prediction parse(String row) {
        String[] columns = row.split(",", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException(
                    "\"" + row + "\" has " + columns.length + " columns, not " + COLUMNS + ": " + HEADER);
        }
        try {
            return new Prediction(
                    Integer.parseInt(columns[0]),
                    Scale.ScaledOperation.valueOf(columns[1].toUpperCase(Locale.ROOT)),
                    Long.parseLong(columns[2]),
                    Double.parseDouble(columns[3]),
                    Long.parseLong(columns[4]),
                    Long.parseLong(columns[5]));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + row + "\" is no row of " + HEADER, e);
        }
    }
}
