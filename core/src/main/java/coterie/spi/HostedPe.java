// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.world.HostedWorld;
import java.util.Map;
import java.util.Objects;

/// A PE that is a thread of a host program. Such a program lives longer than the job, has not been started for it,
/// and may have other PEs, of this job and of others. For modules that bring such programs into a job; only
/// Coterie implements it.
///
/// Nothing ends the process: where the process of a PE would end, a call of [World] throws here. The close leaves
/// nothing of the PE but addresses that the program can still reach, which read as zeros.
///
/// The PE is of the thread that joins. [World#join] in this thread, and in no other, joins the same world once
/// more until it has closed. If the thread ends before, the PE fails. Other threads use the world that they are
/// given.
public interface HostedPe extends AutoCloseable {

    /// Joins a job and opens the one world that the PE will have in it. The thread may be a PE of other jobs; then
    /// [World#join] joins the world that it has opened last.
    ///
    /// @param bootstrap which the runtime configures and asks as one that plugs in; made for this call
    /// @param settings by names as in `coterie info`, in upper case and without prefix, such as "CONDUIT"; they
    ///     come before those of the process
    /// @throws IllegalArgumentException if there is no setting of a name, or a value is not allowed
    /// @throws coterie.CoterieException if the job can't be joined
    static HostedPe join(Bootstrap bootstrap, Map<String, String> settings, ThreadLevel level) {
        Objects.requireNonNull(bootstrap, "HostedPe.join: bootstrap is null");
        Objects.requireNonNull(settings, "HostedPe.join: settings is null");
        Objects.requireNonNull(level, "HostedPe.join: level is null");
        return HostedWorld.join(bootstrap, settings, level);
    }

    /// Returns the handle of the join.
    World world();

    /// Makes this PE fail, and ends its world without the other PEs, which get a [coterie.PeFailedException]. Does
    /// nothing if the world has closed. Any thread may call it, alone.
    ///
    /// @param why one phrase
    void fail(String why);

    /// Closes the world whatever the number of joins, as the end of a program's main method does. Collective. Does
    /// nothing if it has closed.
    @Override
    void close();
}
