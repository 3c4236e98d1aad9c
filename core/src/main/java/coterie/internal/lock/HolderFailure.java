// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

/// What a caller does when its turn comes after a holder has failed.
enum HolderFailure {
    /// throws and passes the turn on
    REFUSE,
    /// acquires the lock, which is consistent for all PEs from then on
    RECOVER
}
