// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.layer.Component;
import coterie.internal.memory.StatusLabel;
import coterie.internal.sync.Membership;
import coterie.layer.Exchange;
import coterie.layer.TeamParameters;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A team, or a group of its members, as a layer that plugs in sees it, and what it lets the others have.
final class TeamView implements TeamParameters {
    private final Membership membership;

    /// The numbers in the team of the members of the group.
    private final int[] group;

    private final String name;
    private final String id;
    private final int me;
    private final IntUnaryOperator nodes;
    private final byte[][] addresses;
    private volatile @Nullable TeamExchange teamExchange;

    /// Why the layer may not exchange bytes now, or empty if it may.
    private volatile String refusal = "";

    /// Makes the view of a whole team.
    ///
    /// @param nodes the node of each PE
    /// @param addresses of the members
    TeamView(Membership membership, String id, IntUnaryOperator nodes, byte[][] addresses) {
        this(membership, IntStream.range(0, membership.size()).toArray(), membership.name(), id, nodes, addresses);
    }

    /// Makes the view of a group with this member.
    ///
    /// @param group its members' numbers in the team
    /// @param id of the group
    /// @param nodes the node of each PE
    /// @param addresses of all members of the team
    TeamView(Membership membership, int[] group, String name, String id, IntUnaryOperator nodes, byte[][] addresses) {
        this.membership = membership;
        this.group = group;
        this.name = name;
        this.id = id;
        this.me = IntStream.range(0, group.length)
                .filter(member -> group[member] == membership.me())
                .findFirst()
                .orElseThrow();
        this.nodes = nodes;
        this.addresses = addresses;
    }

    /// Returns the number in the team of a member.
    private int member(int number) {
        if (number < 0 || number >= size()) {
            throw new IndexOutOfBoundsException(
                    membership.messagePrefix("layer") + "member " + number + " is outside [0, " + size() + ")");
        }
        return group[number];
    }

    /// What I have given, and get.
    private final class TeamExchange implements Exchange {
        private final byte[] mine;
        private volatile byte @Nullable [][] all;
        private volatile @Nullable RuntimeException failure;

        TeamExchange(byte[] mine) {
            this.mine = mine;
        }

        @Override
        public boolean isDone() {
            RuntimeException why = failure;
            if (why != null) {
                throw why;
            }
            return all != null;
        }

        @Override
        public byte[] get(int member) {
            byte[][] come = all;
            if (come == null) {
                throw new IllegalStateException(membership.messagePrefix("exchange")
                        + "the exchange is under way; wait until isDone() " + "returns true");
            }
            return come[member(member)].clone();
        }
    }

    /// The label of the team, also of a group's.
    StatusLabel label() {
        return membership.label();
    }

    /// What I let the others have and they have not got, or null if there is nothing.
    byte @Nullable [] pending() {
        TeamExchange latest = teamExchange;
        return latest == null || latest.all != null || latest.failure != null ? null : latest.mine;
    }

    /// The members of the layer serve: they may exchange bytes until [#end].
    void serve() {
        refusal = "";
    }

    /// What is under way will not be complete, and nothing else begins.
    void end(RuntimeException why) {
        refusal = "the team has ended; exchange bytes before finish() is called";
        TeamExchange latest = teamExchange;
        if (latest != null && latest.all == null) {
            latest.failure = why;
        }
    }

    /// All have got what all have given, this member something or nothing.
    ///
    /// @param all of the members of the team
    void complete(byte[][] all) {
        TeamExchange latest = teamExchange;
        if (latest != null && latest.all == null) {
            latest.all = all;
        }
    }

    /// The layer is through with its preparations: [coterie.layer.LayerTeam#test] has returned true, and not all
    /// members serve yet.
    void open() {
        refusal = "the members compare what layers offer; exchange bytes before test() has returned true, or in a task";
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public int size() {
        return group.length;
    }

    @Override
    public int me() {
        return me;
    }

    @Override
    public int pe(int member) {
        return membership.pe(member(member));
    }

    @Override
    public int node(int member) {
        return nodes.applyAsInt(pe(member));
    }

    @Override
    public byte[] address(int member) {
        return addresses[member(member)].clone();
    }

    @Override
    public synchronized Exchange exchange(byte[] mine) {
        String why = pending() == null ? refusal : "another exchange is under way";
        if (!why.isEmpty()) {
            throw new IllegalStateException(membership.messagePrefix("exchange") + why);
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
