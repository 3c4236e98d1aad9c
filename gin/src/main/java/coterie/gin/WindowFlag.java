// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// A property of a window.
/// @counterpart the flags of `ncclCommWindowRegister`
public enum WindowFlag {
    /// All members have the window, as every window here.
    /// @counterpart `NCCL_WIN_COLL_SYMMETRIC`
    COLL_SYMMETRIC,
    /// Its words can be VA signals. Its begin is a multiple of 8 bytes.
    /// @counterpart `NCCL_WIN_STRICT_ORDERING`; a VA signal checks it
    STRICT_ORDERING
}
