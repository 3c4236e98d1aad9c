// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import org.jspecify.annotations.Nullable;

/// Refuses teams, views and signals of another world, and those of a world or a team that is over, when a program
/// enqueues them: a worker would use them in the other world.
final class Belonging {
    private static final int NO_MEMBER = -1;

    private Belonging() {}

    /// Throws if an argument is of another world than the stream's. It allocates nothing otherwise.
    ///
    /// @param operations of the stream
    static void check(OneSidedVerbs operations, Object argument, String operation, String name) {
        Team team = team(argument);
        if (team == null) {
            return;
        }
        try {
            operations.lane().engine().world().team().translate(NO_MEMBER, team); // checks that both are of one world
        } catch (IllegalArgumentException e) {
            String why = ", belongs to another world than the stream";
            throw operations.refused(new IllegalArgumentException(
                    operations.lane().prefix(operation) + name + ", " + argument + why, e));
        } catch (IllegalStateException e) {
            throw operations.refused(new IllegalStateException(
                    operations.lane().prefix(operation) + name + ", " + argument + ", can't be used any more", e));
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
