// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// How often a task may be posted.
public enum Persistence {
    ONCE,
    /// Again whenever it is OK.
    PERSISTENT
}
