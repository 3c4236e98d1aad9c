// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

/// An attempt of a stage, which has a world of its own.
///
/// @param stage its number
/// @param attempt from 0
record StageAttempt(int stage, int attempt) {
    @Override
    public String toString() {
        return "stage " + stage + ", attempt " + attempt;
    }
}
