// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Jobs;
import java.util.ArrayList;
import java.util.List;

/// `coterie kill`: sends the launchers of jobs the signal TERM, on which they end their PEs.
final class KillCommand {
    private final CommandEnvironment commandEnvironment;

    KillCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) {
        List<String> words = arguments.operands();
        if (words.isEmpty()) {
            throw new UsageException("name a JOB, or the process id of its launcher; 'coterie ps' lists both");
        }
        Jobs.Listing listing = Jobs.list();
        List<Jobs.Running> selected = new ArrayList<>();
        for (String word : words) {
            selected.add(SelectedJobs.one(listing, word));
        }
        for (Jobs.Running job : selected) {
            boolean isSent = ProcessHandle.of(job.launcherPid())
                    .map(ProcessHandle::destroy)
                    .orElse(false);
            commandEnvironment
                    .out()
                    .println(SelectedJobs.describe(List.of(job)) + (isSent ? " was asked to end" : " has ended"));
        }
        return ExitCode.SUCCESS.code();
    }
}
