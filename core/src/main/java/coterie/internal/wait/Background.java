// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// Work of this PE that goes on while its threads wait for something else: what others wait for may depend on it.
public interface Background {

    /// Advances what there is to advance. Must neither wait nor throw nor, as long as nothing fails, allocate.
    void sweep();
}
