// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.Subgroup;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.layer.CollectiveLayer;
import coterie.layer.TransportLayer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
    private final TeamSync teamSync;
    private final Membership membership;
    private final String id;
    private final CollectiveResources resources;
    private final ComponentRegistry registry;
    private final PolledRounds rounds;
    private final ComponentAgreement agreement;
    private final long begin;
    private final List<TeamComponent> serving;
    private final Map<Component, byte[][]> addresses;
    private final Consumer<Map<String, GroupLevels>> then;
    private final List<OpenedLevel> levels = new ArrayList<>();
    private final List<TeamComponent> opened = new ArrayList<>();

    /// What may exchange bytes later, on all members in one order.
    private final List<LayerExchanges.Part> exchanging = new ArrayList<>();

    /// A level of a collective layer.
    private static final class OpenedLevel {
        private final String owner;
        private final String name;

        /// The group of each member; empty if it has none.
        private final int[][] groups;

        /// Of all transport layers that serve it on any member.
        private final List<TeamComponent> parts = new ArrayList<>();

        OpenedLevel(String owner, String name, int[][] groups) {
            this.owner = owner;
            this.name = name;
            this.groups = groups;
        }
    }

    /// @param id of the team
    /// @param begin when the members have begun to open layers
    /// @param serving the layers that serve the whole team
    /// @param addresses of all members, for each layer that works on all
    /// @param then gets the levels by the names of their layers
    GroupsOpening(
            TeamSync teamSync,
            String id,
            CollectiveResources resources,
            PolledRounds rounds,
            ComponentAgreement agreement,
            long begin,
            List<TeamComponent> serving,
            Map<Component, byte[][]> addresses,
            Consumer<Map<String, GroupLevels>> then) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.id = id;
        this.resources = resources;
        this.registry = resources.registry();
        this.rounds = rounds;
        this.agreement = agreement;
        this.begin = begin;
        this.serving = serving;
        this.addresses = addresses;
        this.then = then;
    }

    /// @param topology of the team
    void start(TeamTopology topology) {
        if (topology.isHierarchical() && registry.admits(Hierarchy.COMPONENT)) {
            NodeTopology nodes = topology.topology();
            for (NodeTopology.Kind kind : NodeTopology.Kind.values()) {
                add(Hierarchy.COMPONENT, kind.name(), member -> members(nodes.of(kind, member)));
            }
        }
        collect(0);
    }

    /// The members of a group, or none if the member that asks is not in it.
    private static int[] members(Subgroup group) {
        return group.hasMe() ? group.members() : new int[0];
    }

    /// Returns all parts that have been opened for groups.
    List<TeamComponent> opened() {
        return opened;
    }

    /// Returns what parts of groups exchange bytes with, as long as the team lives.
    List<LayerExchanges.Part> exchanging() {
        return exchanging;
    }

    private interface Groups {
        int[] of(int member);
    }

    private void add(String owner, String level, Groups groups) {
        int[][] all = new int[membership.size()][];
        Arrays.setAll(all, groups::of);
        levels.add(new OpenedLevel(owner, level, all));
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
                TeamComponent ofTeam = level.name.equals(GroupLevels.FULL) ? ofTeam(component) : null;
                if (ofTeam != null) {
                    level.parts.add(ofTeam);
                } else if (Arrays.stream(level.groups).anyMatch(group -> isFor(component, group))) {
                    parts.add(part(component, level, all));
                }
            }
        });
        opened.addAll(parts);
        new PartsOpening(membership, rounds, agreement, resources, begin, parts, true, () -> {
                    judge(level, parts);
                    openLevel(place + 1);
                })
                .start();
    }

    private @Nullable TeamComponent ofTeam(Component component) {
        return serving.stream()
                .filter(part -> part.component().equals(component))
                .findFirst()
                .orElse(null);
    }

    private static boolean isFor(Component component, int[] group) {
        return group.length > 1 && component.whyNot(group.length) == null;
    }

    private TeamComponent part(Component component, OpenedLevel level, byte[][] all) {
        int[] mine = level.groups[membership.me()];
        String name = level.owner + " " + level.name;
        TeamView view =
                isFor(component, mine) ? TeamView.ofGroup(membership, id, name, mine, resources.nodes(), all) : null;
        return new TeamComponent(component, view, "the groups " + level.name + " of layer " + level.owner);
    }

    private void judge(OpenedLevel level, List<TeamComponent> parts) {
        for (TeamComponent part : parts) {
            if (part.serves()) {
                level.parts.add(part);
                exchanging.add(new LayerExchanges.Part(
                        part.isHere() ? part.view() : null,
                        Arrays.stream(level.groups)
                                .map(group -> isFor(part.component(), group) ? group : new int[0])
                                .toList()));
            } else if (registry.groups()
                    .names(level.owner, level.name, part.component().name())) {
                throw PartsOpening.cantServe(
                        membership.messagePrefix(OperationKind.LAYERS.label()),
                        part,
                        registry.groups().setting(level.owner, level.name));
            }
        }
    }

    /// Compares what serves the members of each group.
    private void compare() {
        if (levels.isEmpty()) {
            then.accept(Map.of());
            return;
        }
        Map<OpenedLevel, GroupLevels.Level> mine = new LinkedHashMap<>();
        ByteBuffer digests = ByteBuffer.allocate(Long.BYTES * levels.size());
        for (OpenedLevel level : levels) {
            GroupLevels.Level its = level(level);
            if (its != null) {
                mine.put(level, its);
            }
            digests.putLong(its == null ? 0 : its.map().digest());
        }
        rounds.gather(digests.array(), all -> {
            for (int place = 0; place < levels.size(); place++) {
                compare(levels.get(place), place, all);
            }
            then.accept(levels(mine));
        });
    }

    private void compare(OpenedLevel level, int place, byte[][] all) {
        for (int member = 0; member < all.length; member++) {
            int[] group = level.groups[member];
            if (group.length > 1) {
                long its = ByteBuffer.wrap(all[member]).getLong(place * Long.BYTES);
                if (its != ByteBuffer.wrap(all[group[0]]).getLong(place * Long.BYTES)) {
                    throw agreement.failed("PE " + membership.pe(group[0]) + " and PE " + membership.pe(member)
                            + " choose different algorithms in group " + level.name + " of layer " + level.owner
                            + ": a transport layer offers different algorithms there, or their settings "
                            + registry.groups().setting(level.owner, level.name) + " or TUNE differ"
                            + teamSync.syncRound().differingSettings());
                }
            }
        }
    }

    private GroupLevels.@Nullable Level level(OpenedLevel level) {
        int[] group = level.groups[membership.me()];
        if (group.length < 2) {
            return null;
        }
        boolean admitsPlans = registry.groups().admits(level.owner, level.name, ComponentRegistry.PLANS);
        ScoreTable<CollectiveAlgorithm> table =
                admitsPlans ? registry.groups().table(group.length) : ScoreTable.empty();
        List<TeamComponent> here =
                level.parts.stream().filter(TeamComponent::isHere).toList();
        for (TeamComponent part : here) {
            table = table.merge(registry.tuned(part.component(), part.table(), group.length));
        }
        return new GroupLevels.Level(
                level.name, Arrays.stream(group).boxed().toList(), here, ScoreMap.of(table, group.length), admitsPlans);
    }

    private Map<String, GroupLevels> levels(Map<OpenedLevel, GroupLevels.Level> mine) {
        Map<String, GroupLevels> all = new HashMap<>();
        for (OpenedLevel each : levels) {
            all.computeIfAbsent(each.owner, owner -> {
                Map<String, GroupLevels.Level> its = new HashMap<>();
                boolean isStacked = false;
                for (OpenedLevel level : levels) {
                    if (level.owner.equals(owner)) {
                        GroupLevels.Level here = mine.get(level);
                        if (here != null) {
                            its.put(level.name, Objects.requireNonNull(here));
                        }
                        isStacked |= !level.parts.isEmpty()
                                || !registry.groups().admits(owner, level.name, ComponentRegistry.PLANS);
                    }
                }
                return registry.groups().levels(owner, its, isStacked);
            });
        }
        return all;
    }
}
