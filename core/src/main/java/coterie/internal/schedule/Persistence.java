// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// How often a task may be posted.
public enum Persistence {
    ONCE,
    /// Any number of times, once the run before has ended well.
    PERSISTENT
}
