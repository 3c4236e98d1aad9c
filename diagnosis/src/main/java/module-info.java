// SPDX-License-Identifier: Apache-2.0

/// Finds and explains deadlocks, in a snapshot of a job and in jobs that run.
module coterie.diagnosis {
    requires transitive coterie;
    requires coterie.launch;
    requires jdk.jfr;
    requires static org.jspecify;

    exports coterie.diagnosis;

    provides coterie.internal.launch.JobWatcher.Provider with
            coterie.diagnosis.StallWatchProvider;
}
