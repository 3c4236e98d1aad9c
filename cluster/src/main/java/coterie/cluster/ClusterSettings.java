// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.layer.Field;
import coterie.spi.BootstrapContext;
import coterie.spi.SettingsProvider;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/// The settings of a job across hosts.
public final class ClusterSettings implements SettingsProvider {
    /// For the service loader.
    public ClusterSettings() {}

    @Override
    public List<Field> settings() {
        return List.of(
                new Field(
                        "JOB_KEY",
                        "",
                        "file with the key of the job that this process joins, of mode 0600; -: the first lines of standard input; empty: none"),
                new Field(
                        "SECRET_FILE",
                        "",
                        "file with the secret of the job that environment variables describe, of 16 bytes or more, which other users can't read; empty: there is no such job"),
                new Field(
                        "COORDINATOR",
                        "",
                        "where PE 0 of a job that environment variables describe listens, as HOST:PORT; empty: where the variables of a scheduler say"),
                new Field(
                        "KEY_FOLDER",
                        "",
                        "folder that all nodes of a Slurm job share, for the job key; empty: the folder of the submission, or the home folder"),
                new Field(
                        "NODE",
                        "auto",
                        "name of this node in a job across hosts: PEs with equal names are on one node; auto: PEs that see each other's processes are"),
                new Field(
                        "LISTEN",
                        "127.0.0.1",
                        "where a coordinator of a job across hosts listens: an address of this machine, a network such as 10.1.0.0/16, or a network interface"),
                new Field(
                        "LINK_TIMEOUT_S",
                        "10",
                        "time after which a PE across hosts or an agent of a host counts as failed if no message comes from it, in seconds, 1 … 86400"),
                new Field(
                        "JOIN_TIMEOUT_S",
                        "300",
                        "time limit for all PEs of a job across hosts to join it, in seconds, 1 … 10^9; under a launcher of Coterie, for the first sign of an agent"));
    }

    static String jobKey(BootstrapContext context) {
        return context.setting("JOB_KEY");
    }

    static String secretFile(BootstrapContext context) {
        return context.setting("SECRET_FILE");
    }

    static String coordinator(BootstrapContext context) {
        return context.setting("COORDINATOR");
    }

    static InetAddress listen(BootstrapContext context) {
        return ListenAddress.of(context.setting("LISTEN"));
    }

    static Duration silence(BootstrapContext context) {
        return silence(context::setting);
    }

    static Duration silence(UnaryOperator<String> settings) {
        return seconds(settings, "LINK_TIMEOUT_S", 86_400);
    }

    static Duration joinTimeout(BootstrapContext context) {
        return joinTimeout(context::setting);
    }

    static Duration joinTimeout(UnaryOperator<String> settings) {
        return seconds(settings, "JOIN_TIMEOUT_S", 1_000_000_000);
    }

    private static Duration seconds(UnaryOperator<String> settings, String name, int max) {
        String text = settings.apply(name);
        if (text.matches("[0-9]{1,10}")) {
            long seconds = Long.parseLong(text);
            if (seconds >= 1 && seconds <= max) {
                return Duration.ofSeconds(seconds);
            }
        }
        throw new IllegalArgumentException(
                "setting " + name + ": \"" + text + "\" is not a number of seconds in [1, " + max + "]");
    }
}
