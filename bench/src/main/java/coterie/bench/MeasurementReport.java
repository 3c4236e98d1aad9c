// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

/// Where measurements go, one after the other; PE 0 has one.
interface MeasurementReport {
    /// Before the first point of an operation.
    void begin(Operation operation);

    void point(Operation operation, long bytes, Measurement measurement);

    /// A run of a whole program.
    void program(Operation operation, String problemClass, NasProgram.Result result);
}
