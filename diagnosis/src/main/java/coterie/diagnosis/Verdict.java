// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

/// What a diagnosis has found.
public enum Verdict {
    /// Nothing is stuck.
    NONE("nothing is stuck"),
    /// Members of a team have called different collectives.
    MISMATCH("members of a team have called different collectives"),
    /// Operations wait for a PE that has failed or ended.
    PE_DEAD("operations wait for a PE that is over"),
    /// No schedule can complete some operations.
    DEADLOCK("no schedule can complete these operations"),
    /// Operations would complete on a device with more queues, slots or threads.
    FALSE_DEPENDENCY("operations wait for a queue, a slot or threads of the device"),
    /// Operations wait, and code that runs could still help.
    STALLED("operations wait for code that could still act"),
    /// Operations wait, and the code that could help polls.
    NO_PROGRESS("operations wait, and all that runs is code that polls"),
    /// All operations can complete, and another legal order of the device would not let them.
    HAZARD("another legal order of the device is a deadlock");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /// Returns what it means, in some words.
    public String text() {
        return text;
    }

    /// Returns whether the job can't go on, whatever runs.
    public boolean isFinal() {
        return this == MISMATCH || this == PE_DEAD || this == DEADLOCK || this == FALSE_DEPENDENCY;
    }
}
