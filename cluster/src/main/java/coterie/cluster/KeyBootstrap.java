// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.PeJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Joins the job of a coordinator by a job key, which the setting JOB_KEY names: a file of mode 0600, or `-` for
/// the first lines of standard input. The environment variable `COTERIE_PE` gives the number of the PE; without it
/// the coordinator does. A launcher with hosts starts its PEs so, and any other program can.
public final class KeyBootstrap extends ClusterBootstrap {
    static final String NUMBER = "COTERIE_PE";
    private static final String LOCAL_SIZE = "COTERIE_LOCAL_SIZE";
    private static final String STANDARD_INPUT = "-";

    private final Map<String, String> environment;

    /// For the service loader.
    public KeyBootstrap() {
        this(System.getenv());
    }

    KeyBootstrap(Map<String, String> environment) {
        super("key");
        this.environment = environment;
    }

    @Override
    public Optional<String> refusal() {
        return ClusterSettings.jobKey(context()).isEmpty()
                ? Optional.of("the setting JOB_KEY (COTERIE_JOB_KEY) names no file with a job key")
                : Optional.empty();
    }

    @Override
    public PeJob join() {
        String source = ClusterSettings.jobKey(context());
        JobKey key;
        try {
            key = source.equals(STANDARD_INPUT)
                    ? JobKey.read(System.in, "standard input")
                    : JobKey.read(Path.of(source));
        } catch (IOException e) {
            throw new CoterieException("join: can't read the job key " + source + ": " + e, e);
        }
        return ClusterJob.join(
                key,
                context().encryption(),
                "the coordinator",
                number(NUMBER, PeerSocket.NO_PE),
                JobFrame.ANY_SIZE,
                ProcessPlace.here(context()),
                context().defaultHeapBytes(Math.max(1, number(LOCAL_SIZE, 1))),
                ClusterSettings.joinTimeout(context()),
                true,
                null,
                JobClock.SYSTEM);
    }

    private int number(String variable, int byDefault) {
        String text = environment.getOrDefault(variable, "");
        if (text.isEmpty()) {
            return byDefault;
        }
        if (text.matches("[0-9]{1,7}")) {
            return Integer.parseInt(text);
        }
        throw new CoterieException("join: environment variable " + variable + " is \"" + text
                + "\", which is no number; leave it out for the default");
    }
}
