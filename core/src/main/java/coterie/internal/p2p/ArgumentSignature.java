// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

/// What all members must mean alike by a run.
public interface ArgumentSignature {

    /// All of it in a word.
    long signature();

    /// What two members differ in, by their words, for people: "the root: 1 on PE 2, 0 on PE 0".
    ///
    /// @param one the word of PE `onePe`
    /// @param other the word of PE `otherPe`
    String difference(int onePe, long one, int otherPe, long other);

    /// Terms that nobody can tell more of.
    static ArgumentSignature of(long signature) {
        return new ArgumentSignature() {
            @Override
            public long signature() {
                return signature;
            }

            @Override
            public String difference(int onePe, long one, int otherPe, long other) {
                return String.format("signature %x on PE %d, %x on PE %d", one, onePe, other, otherPe);
            }
        };
    }
}
