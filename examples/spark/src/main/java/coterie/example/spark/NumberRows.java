// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;
import java.util.Iterator;

/// Rows of numbers of one partition, one after the other in one array, as both algorithms take them.
final class NumberRows {
    private static final int FIRST_CAPACITY = 1024;

    private double[] numbers = new double[FIRST_CAPACITY];
    private int length;

    private NumberRows() {}

    /// Reads lines of numbers with commas between them. An empty field is NaN, and empty lines count for nothing.
    ///
    /// @param columns of each line
    /// @throws IllegalArgumentException if a line has another number of fields, or a field is no number
    static double[] of(Iterator<String> lines, int columns) {
        NumberRows rows = new NumberRows();
        while (lines.hasNext()) {
            String line = lines.next().strip();
            if (!line.isEmpty()) {
                rows.add(line, columns);
            }
        }
        return Arrays.copyOf(rows.numbers, rows.length);
    }

    private void add(String line, int columns) {
        String[] fields = line.split(",", -1);
        if (fields.length != columns) {
            throw new IllegalArgumentException(
                    "rows have " + columns + " numbers, and this one " + fields.length + ": " + line);
        }
        if (length + columns > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(2 * numbers.length, length + columns));
        }
        for (String field : fields) {
            numbers[length++] = field.isBlank() ? Double.NaN : number(field.strip(), line);
        }
    }

    private static double number(String field, String line) {
        try {
            return Double.parseDouble(field);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + field + "\" is no number, in the row " + line, e);
        }
    }
}
