// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Points a schedule to the data of the fragment that it runs next.
@FunctionalInterface
public interface FragmentSetup {
    /// Called before each start of a fragment, in order of their numbers.
    ///
    /// @param schedule one of those made from the template
    /// @param fragment number, from 0
    void setUp(Schedule schedule, int fragment);
}
