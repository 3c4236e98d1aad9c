// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The running jobs that a command line names: by the job's name, or by the process id of its launcher.
final class SelectedJobs {
    private SelectedJobs() {}

    /// Returns all jobs that have this name or launcher.
    ///
    /// @throws CannotRunException if there is none
    static List<Jobs.Running> of(Jobs.Listing listing, String word) {
        List<Jobs.Running> found = listing.running().stream()
                .filter(job -> job.name().equals(word)
                        || Long.toString(job.launcherPid()).equals(word))
                .toList();
        if (found.isEmpty()) {
            throw new CannotRunException(
                    ExitCode.NOT_FOUND,
                    "no job " + word + " runs; "
                            + (listing.running().isEmpty()
                                    ? "there are no jobs"
                                    : "running are " + describe(listing.running())));
        }
        return found;
    }

    /// Returns the only job that has this name or launcher.
    ///
    /// @throws CannotRunException if there is none, or there are several
    static Jobs.Running one(Jobs.Listing listing, String word) {
        List<Jobs.Running> jobs = of(listing, word);
        if (jobs.size() > 1) {
            throw new CannotRunException(
                    ExitCode.NOT_FOUND,
                    "several jobs have the name " + word + ": " + describe(jobs)
                            + "; name the process id of a launcher");
        }
        return jobs.getFirst();
    }

    /// Returns the jobs that any of the words names, or all if there is no word.
    static List<Jobs.Running> ofAll(Jobs.Listing listing, List<String> words) {
        if (words.isEmpty()) {
            return listing.running();
        }
        List<Jobs.Running> found = new ArrayList<>();
        for (String word : words) {
            of(listing, word).stream().filter(job -> !found.contains(job)).forEach(found::add);
        }
        return found;
    }

    /// Returns "Ring (launcher 4711), Ring (launcher 4712)".
    static String describe(List<Jobs.Running> jobs) {
        return jobs.stream()
                .map(job -> job.name() + " (launcher " + job.launcherPid() + ")")
                .collect(Collectors.joining(", "));
    }
}
