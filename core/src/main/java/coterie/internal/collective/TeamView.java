// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.layer.Component;
import coterie.layer.Exchange;
import coterie.layer.TeamParameters;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A team as a layer that plugs in sees it, and what it lets the others have.
final class TeamView implements TeamParameters {
    private final Membership membership;
    private final IntUnaryOperator nodes;
    private final byte[][] addresses;
    private @Nullable TeamExchange teamExchange;
    private boolean isOpen;

    /// @param nodes the node of each PE
    /// @param addresses of the members
    TeamView(Membership membership, IntUnaryOperator nodes, byte[][] addresses) {
        this.membership = membership;
        this.nodes = nodes;
        this.addresses = addresses;
    }

    /// What I have given, and get.
    private final class TeamExchange implements Exchange {
        private final byte[] mine;
        private byte @Nullable [][] all;

        TeamExchange(byte[] mine) {
            this.mine = mine;
        }

        @Override
        public boolean isDone() {
            return all != null;
        }

        @Override
        public byte[] get(int member) {
            byte[][] come = all;
            if (come == null) {
                throw new IllegalStateException(membership.messagePrefix("exchange")
                        + "the exchange is under way; wait until isDone() " + "returns true");
            }
            return come[check(member)].clone();
        }
    }

    /// What I let the others have and they have not got, or null if there is nothing.
    byte @Nullable [] pending() {
        return teamExchange == null || teamExchange.all != null ? null : teamExchange.mine;
    }

    /// All have got what all have given.
    void complete(byte[][] all) {
        if (teamExchange != null) {
            teamExchange.all = all;
        }
    }

    /// The layer is through with its preparations.
    void open() {
        isOpen = true;
    }

    @Override
    public String name() {
        return membership.name();
    }

    @Override
    public int size() {
        return membership.size();
    }

    @Override
    public int me() {
        return membership.me();
    }

    @Override
    public int pe(int member) {
        return membership.pe(check(member));
    }

    @Override
    public int node(int member) {
        return nodes.applyAsInt(pe(member));
    }

    @Override
    public byte[] address(int member) {
        return addresses[check(member)].clone();
    }

    private int check(int member) {
        if (member < 0 || member >= membership.size()) {
            throw new IndexOutOfBoundsException(membership.messagePrefix("layer") + "member " + member
                    + " is outside [0, " + membership.size() + ")");
        }
        return member;
    }

    @Override
    public Exchange exchange(byte[] mine) {
        if (isOpen || pending() != null) {
            throw new IllegalStateException(membership.messagePrefix("exchange")
                    + (isOpen
                            ? "the team is open; members can exchange only before that"
                            : "another exchange is " + "under way"));
        }
        if (mine.length > Component.MOST_BYTES) {
            throw new IllegalArgumentException(membership.messagePrefix("exchange") + mine.length
                    + " bytes are outside [0, " + Component.MOST_BYTES + "]");
        }
        TeamExchange exchange = new TeamExchange(mine.clone());
        teamExchange = exchange;
        return exchange;
    }
}
