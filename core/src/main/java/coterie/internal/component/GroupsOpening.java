// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.Subgroup;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.layer.CollectiveLayer;
import coterie.layer.TransportLayer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// How the members of a team open transport layers for the groups of its collective layers, after the layers of
/// the whole team:
///
/// ```
///  which groups has each collective layer?      rounds, layer by layer
///  for each of its levels
///    the transport layers that the settings admit there open a team for each group: see PartsOpening
///  does each group choose alike?                rounds
/// ```
///
/// A transport layer serves a level on all members or on none, except groups that are too small or too large for
/// it.
final class GroupsOpening {
    private final ComponentAgreement agreement;
    private final Membership membership;
    private final PolledRounds rounds;
    private final ComponentRegistry registry;
    private final IntUnaryOperator nodes;
    private final String id;
    private final List<TeamComponent> serving;
    private final Map<Component, byte[][]> addresses;
    private final Consumer<Map<String, GroupLevels>> then;
    private final List<OpenedLevel> levels = new ArrayList<>();
    private final List<TeamComponent> opened;

    /// A level of a collective layer.
    ///
    /// @param groups the group of each member; empty if it has none
    /// @param parts of all transport layers that serve it on any member
    private record OpenedLevel(String owner, String name, List<int[]> groups, List<TeamComponent> parts) {}

    /// @param id of the team
    /// @param serving the layers that serve the whole team
    /// @param addresses of all members, for each layer that works on all
    /// @param opened gets all parts that are opened for groups, on all members in one order
    /// @param then gets the levels by the names of their layers
    GroupsOpening(
            ComponentAgreement agreement,
            String id,
            List<TeamComponent> serving,
            Map<Component, byte[][]> addresses,
            List<TeamComponent> opened,
            Consumer<Map<String, GroupLevels>> then) {
        this.agreement = agreement;
        this.membership = agreement.membership();
        this.rounds = agreement.rounds();
        this.registry = agreement.resources().registry();
        this.nodes = agreement.resources().nodes();
        this.id = id;
        this.serving = serving;
        this.addresses = addresses;
        this.opened = opened;
        this.then = then;
    }

    /// @param topology of the team
    void start(TeamTopology topology) {
        if (topology.isHierarchical() && registry.admits(Hierarchy.COMPONENT)) {
            NodeTopology groups = topology.topology();
            for (NodeTopology.Kind kind : NodeTopology.Kind.values()) {
                add(Hierarchy.COMPONENT, kind.name(), member -> members(groups.of(kind, member)));
            }
        }
        collect(0);
    }

    /// The members of a group, or none if the member that asks is not in it.
    private static int[] members(Subgroup group) {
        return group.hasMe() ? group.members() : new int[0];
    }

    /// @param groups the group of each member
    private void add(String owner, String level, IntFunction<int[]> groups) {
        List<int[]> all = IntStream.range(0, membership.size()).mapToObj(groups).toList();
        levels.add(new OpenedLevel(owner, level, all, new ArrayList<>()));
    }

    /// Collects the groups of the collective layers that plug in, from a place on.
    private void collect(int from) {
        for (int place = from; place < serving.size(); place++) {
            TeamComponent part = serving.get(place);
            if (part.component().layer() instanceof CollectiveLayer layer) {
                int next = place + 1;
                List<String> names = layer.levels();
                rounds.gather(mine(part, names), all -> {
                    take(part, names, all);
                    collect(next);
                });
                return;
            }
        }
        openLevel(0);
    }

    /// This member's groups at all levels of a layer; nothing if the layer fails.
    private static byte[] mine(TeamComponent part, List<String> names) {
        try {
            List<int[]> groups = part.component()
                    .callGuarded(() ->
                            names.stream().map(name -> part.team().group(name)).toList());
            ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES
                    * (1 + groups.stream().mapToInt(group -> group.length + 1).sum()));
            bytes.putInt(names.size());
            for (int[] group : groups) {
                bytes.putInt(group.length);
                Arrays.stream(group).forEach(bytes::putInt);
            }
            return bytes.array();
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            part.fails(e);
            return new byte[0];
        }
    }

    private void take(TeamComponent part, List<String> names, byte[][] all) {
        for (int member = 0; member < all.length; member++) {
            if (all[member].length == 0) {
                part.drop("it has failed on PE " + membership.pe(member) + " to tell its groups");
                return;
            }
        }
        String owner = part.component().name();
        int[][][] groups = new int[names.size()][all.length][];
        for (int member = 0; member < all.length; member++) {
            ByteBuffer bytes = ByteBuffer.wrap(all[member]);
            if (bytes.getInt() != names.size()) {
                throw agreement.differ(membership.pe(0), membership.pe(member));
            }
            for (int level = 0; level < names.size(); level++) {
                groups[level][member] = new int[bytes.getInt()];
                Arrays.setAll(groups[level][member], _ -> bytes.getInt());
            }
        }
        for (int level = 0; level < names.size(); level++) {
            String name = names.get(level);
            int[][] its = groups[level];
            check(part, name, its);
            add(owner, name, member -> its[member]);
        }
        int[] everyone = IntStream.range(0, membership.size()).toArray();
        add(owner, GroupLevels.FULL, _ -> everyone);
    }

    /// Refuses groups that members see differently.
    private void check(TeamComponent part, String level, int[][] groups) {
        for (int member = 0; member < groups.length; member++) {
            int[] group = groups[member];
            boolean hasMe = group.length == 0;
            for (int mate : group) {
                hasMe |= mate == member;
                if (mate < 0 || mate >= groups.length || !Arrays.equals(group, groups[mate])) {
                    throw agreement.failed(part.component() + " divides the team differently at level " + level
                            + ": on PE " + membership.pe(member) + " the group is " + Arrays.toString(group)
                            + (mate < 0 || mate >= groups.length
                                    ? ", which has a member outside [0, " + groups.length + ")"
                                    : ", on PE " + membership.pe(mate) + " " + Arrays.toString(groups[mate])));
                }
            }
            if (!hasMe || Arrays.stream(group).distinct().count() != group.length) {
                throw agreement.failed(part.component() + " has a group at level " + level + " on PE "
                        + membership.pe(member) + " without this PE, or with a member twice: "
                        + Arrays.toString(group));
            }
        }
    }

    private void openLevel(int place) {
        if (place == levels.size()) {
            compare();
            return;
        }
        OpenedLevel level = levels.get(place);
        List<TeamComponent> parts = new ArrayList<>();
        addresses.forEach((component, all) -> {
            if (component.layer() instanceof TransportLayer
                    && registry.groups().admits(level.owner, level.name, component.name())) {
                List<TeamComponent> ofTeam = serving.stream()
                        .filter(part -> level.name.equals(GroupLevels.FULL)
                                && part.component().equals(component))
                        .toList();
                List<int[]> groups = groups(component, level);
                if (!ofTeam.isEmpty()) {
                    level.parts.addAll(ofTeam);
                } else if (groups.stream().anyMatch(group -> group.length > 0)) {
                    parts.add(part(component, level, groups, all));
                }
            }
        });
        opened.addAll(parts);
        new PartsOpening(agreement, parts, true, () -> {
                    judge(level, parts);
                    openLevel(place + 1);
                })
                .start();
    }

    /// Returns for each member its group, if the layer serves groups of its size, or none.
    private static List<int[]> groups(Component component, OpenedLevel level) {
        return level.groups.stream()
                .map(group -> group.length > 1 && component.whyNot(group.length) == null ? group : new int[0])
                .toList();
    }

    private TeamComponent part(Component component, OpenedLevel level, List<int[]> groups, byte[][] all) {
        int[] mine = groups.get(membership.me());
        String name = level.owner + " " + level.name;
        TeamView view = null;
        if (mine.length > 0) {
            String groupId = id + " " + name + " " + mine[0];
            view = new TeamView(membership, mine, membership.name() + ", " + name, groupId, nodes, all);
        }
        return new TeamComponent(component, view, groups, "the groups " + level.name + " of layer " + level.owner);
    }

    private void judge(OpenedLevel level, List<TeamComponent> parts) {
        for (TeamComponent part : parts) {
            if (part.serves()) {
                level.parts.add(part);
            } else if (registry.groups()
                    .names(level.owner, level.name, part.component().name())) {
                throw part.cantServe(membership, registry.groups().setting(level.owner, level.name));
            }
        }
    }

    /// Compares what serves the members of each group.
    private void compare() {
        if (levels.isEmpty()) {
            then.accept(Map.of());
            return;
        }
        Map<String, Map<String, GroupLevels.Level>> mine = new HashMap<>();
        ByteBuffer digests = ByteBuffer.allocate(Long.BYTES * levels.size());
        for (OpenedLevel level : levels) {
            Map<String, GroupLevels.Level> its = mine.computeIfAbsent(level.owner, _ -> new HashMap<>());
            int[] group = level.groups.get(membership.me());
            long digest = 0;
            if (group.length > 1) {
                GroupLevels.Level here = level(level, group);
                its.put(level.name, here);
                digest = here.map().digest();
            }
            digests.putLong(digest);
        }
        rounds.gather(digests.array(), all -> {
            for (int place = 0; place < levels.size(); place++) {
                compare(levels.get(place), place, all);
            }
            Map<String, GroupLevels> byOwner = new HashMap<>();
            mine.forEach((owner, its) -> byOwner.put(owner, registry.groups().levels(owner, its, isStacked(owner))));
            then.accept(byOwner);
        });
    }

    private void compare(OpenedLevel level, int place, byte[][] all) {
        for (int member = 0; member < all.length; member++) {
            int[] group = level.groups.get(member);
            if (group.length > 1) {
                long its = ByteBuffer.wrap(all[member]).getLong(place * Long.BYTES);
                if (its != ByteBuffer.wrap(all[group[0]]).getLong(place * Long.BYTES)) {
                    throw agreement.failed("PE " + membership.pe(group[0]) + " and PE " + membership.pe(member)
                            + " choose different algorithms in group " + level.name + " of layer " + level.owner
                            + ": a transport layer offers different algorithms there, or their settings "
                            + registry.groups().setting(level.owner, level.name) + " or TUNE differ"
                            + agreement.teamSync().syncRound().differingSettings());
                }
            }
        }
    }

    private GroupLevels.Level level(OpenedLevel level, int[] group) {
        return registry.groups()
                .level(
                        level.name,
                        group,
                        level.parts.stream().filter(TeamComponent::isHere).toList(),
                        registry.groups().admits(level.owner, level.name, ComponentRegistry.PLANS));
    }

    /// Returns whether layers that plug in serve groups of a collective layer, or the algorithms of `p2p` may not.
    private boolean isStacked(String owner) {
        return levels.stream()
                .filter(level -> level.owner.equals(owner))
                .anyMatch(level -> !level.parts.isEmpty()
                        || !registry.groups().admits(owner, level.name, ComponentRegistry.PLANS));
    }
}
