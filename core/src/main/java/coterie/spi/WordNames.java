// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// What the words of a view are, in the words of a face or of a program: messages and reports of a wait name them. See
/// [coterie.IntegerView#named].
///
/// The runtime calls these methods in waits that last, by the waiting thread; they must neither wait nor throw. Reports
/// show at most 64 bytes of ISO 8859-1 of each text.
@FunctionalInterface
public interface WordNames {
    /// Returns what a word is, such as "signal 3 of context 0".
    ///
    /// @param index of the word in the view that was named
    String name(long index);

    /// Returns what may be the reason that a word does not come to be as awaited, such as "signal 2 is 1"; empty if
    /// nothing is known.
    default String remark(long index) {
        return "";
    }

    /// Returns the PE of the view's team that alone updates a word, or −1 if others may.
    default int writer(long index) {
        return -1;
    }
}
