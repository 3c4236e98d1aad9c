// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import coterie.World;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Refuses teams, views and signals of another world, and those of a world or a team that is over, when a program
/// enqueues them: a worker would use them in the other world.
final class Belonging {
    private Belonging() {}

    /// Throws if an argument is of another world than the stream's.
    ///
    /// @param prefix begin of the message, up to the name of the argument
    static void check(World world, Object argument, Supplier<String> prefix) {
        Team team = team(argument);
        if (team == null) {
            return;
        }
        try {
            world.team().translate(0, team);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    prefix.get() + ", " + argument + ", belongs to another world than the stream", e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(prefix.get() + ", " + argument + ", can't be used any more", e);
        }
    }

    private static @Nullable Team team(Object argument) {
        return switch (argument) {
            case Team team -> team;
            case ElementView view -> view.context().team();
            case SignalWord signal -> signal.context().team();
            case SignalUpdate update -> update.signal().context().team();
            default -> null;
        };
    }
}
