// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The operation of [IntegerView#fetchNbi].
public enum AtomicOperation {
    /// nothing but the fetch
    FETCH,
    /// stores the operand
    SWAP,
    /// adds the operand, wrapping
    ADD,
    /// bitwise and with the operand; integers only
    AND,
    /// bitwise or with the operand; integers only
    OR,
    /// bitwise exclusive or with the operand; integers only
    XOR
}
