// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.schedule.Pipelining;
import coterie.internal.score.Candidate;
import coterie.internal.score.Finding;
import coterie.internal.score.LayerList;
import coterie.internal.score.Repertoire;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.Selection;
import coterie.internal.score.Tune;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The layers of a world that serve collectives, and what people want of them; [LayerTables] has what they offer.
public final class Layers implements Components.Guests {
    /// Null if all are.
    private final @Nullable LayerList admitted;

    /// For each layer's name, its tuning string: what its words stand for depends on the team.
    private final Map<String, String> tunes;

    /// For each algorithm, such as "p2p/allreduce/sra", how long data are cut.
    private final Map<String, Pipelining> pipelines;

    private final Map<Footing, Selection<Way>> selections = new ConcurrentHashMap<>();

    private final boolean areAsBuilt;

    private Layers(@Nullable LayerList admitted, Map<String, String> tunes, Map<String, Pipelining> pipelines) {
        this.areAsBuilt = admitted == null && tunes.values().stream().allMatch(String::isEmpty);
        this.admitted = admitted;
        this.tunes = Map.copyOf(tunes);
        this.pipelines = Map.copyOf(pipelines);
    }

    /// The layers as people want them.
    ///
    /// @param list see [LayerList]
    /// @param listSetting its name, for messages
    /// @param tunes for each layer's name, plugged in or not, its tuning string, which may be empty; see [Tune]
    /// @param pipelines for algorithms by their names, such as "p2p/allreduce/sra", how long data are cut; of
    ///     vectors alone
    /// @throws IllegalArgumentException if the list can't be read
    public static Layers of(
            String list, String listSetting, Map<String, String> tunes, Map<String, Pipelining> pipelines) {
        return new Layers(
                list.equals("all") ? null : LayerList.parse(listSetting, list, tunes.keySet()), tunes, pipelines);
    }

    /// Whether nobody wants anything else of them than what they offer.
    boolean areAsBuilt() {
        return areAsBuilt;
    }

    /// How data that go by an algorithm are cut.
    public Pipelining pipelining(CollectiveType type, Candidate<Way> candidate) {
        return pipelines.isEmpty()
                ? Pipelining.NONE
                : pipelines.getOrDefault(
                        candidate.component() + "/" + type.word() + "/" + candidate.algorithm(), Pipelining.NONE);
    }

    /// The names of the runtime's own layers.
    public static List<String> names() {
        return LayerTables.names();
    }

    /// The scores at which the runtime's own layers offer what they have.
    public static Map<String, Set<Integer>> scores() {
        return LayerTables.scores();
    }

    /// The algorithms of a layer that plugs in.
    static Repertoire<Way> repertoire(Component component) {
        return component.repertoire((type, algorithm) -> new Way.Plugged(component.name(), algorithm));
    }

    /// What is to be said of the tuning string of a layer that plugs in: tokens that can't be used. What has no
    /// effect turns out on a team.
    public List<Finding> findings(Component component) {
        String text = tunes.getOrDefault(component.name(), "");
        return Tune.parse(text, repertoire(component)).errors();
    }

    /// What a layer that plugs in offers to a team, as people have tuned it.
    ScoreTable<Way> tuned(Component component, ScoreTable<Way> table, int size) {
        String text = tunes.getOrDefault(component.name(), "");
        return text.isEmpty() ? table : tuned(table, Tune.parse(text, repertoire(component)), size);
    }

    private static ScoreTable<Way> tuned(ScoreTable<Way> table, Tune<Way> tune, int size) {
        return tune.switchesOff()
                ? ScoreTable.empty()
                : table.update(tune, size).table();
    }

    /// What is to be said of a layer's tuning string, on the largest team of a world and on all others: tokens that
    /// can't be used, or would change nothing whatever the team.
    ///
    /// @param size members of the largest team
    public List<Finding> findings(String layer, int size) {
        Footing footing = Footing.onOneNode(size, true);
        Tune<Way> tune = tune(layer, footing);
        if (tune == null) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(tune.errors());
        if (LayerTables.serves(layer, footing)) {
            ScoreTable<Way> table = LayerTables.table(layer, footing);
            for (Finding each : table.update(tune, size).findings()) {
                if (each.kind() == Finding.Kind.NO_EFFECT) {
                    findings.add(each);
                }
            }
        }
        return findings.stream().distinct().toList();
    }

    /// A layer's tuning string, or null if there is none.
    private @Nullable Tune<Way> tune(String layer, Footing footing) {
        String text = tunes.getOrDefault(layer, "");
        return text.isEmpty() ? null : Tune.parse(text, LayerTables.repertoire(layer, footing));
    }

    /// Who serves what on a team.
    ///
    /// @param nodes of its members
    /// @param isDirect whether they load and store each other's memory
    public List<Explanation> explainAll(List<Integer> nodes, boolean isDirect) {
        return selection(Footing.of(nodes.size(), nodes::get, isDirect, true)).explainAll();
    }

    /// Who serves what on teams of this footing.
    Selection<Way> selection(Footing footing) {
        return selections.computeIfAbsent(footing, this::select);
    }

    private Selection<Way> select(Footing footing) {
        ScoreTable<Way> merged = ScoreTable.empty();
        for (String layer : names()) {
            if (!admits(layer) || !LayerTables.serves(layer, footing)) {
                continue;
            }
            ScoreTable<Way> table = LayerTables.table(layer, footing);
            Tune<Way> tune = tune(layer, footing);
            merged = merged.merge(tune == null ? table : tuned(table, tune, footing.size()));
        }
        return Selection.of(merged, footing.size());
    }

    /// What the runtime's own layers have for a collective of teams of this footing, for whichever sizes.
    List<Candidate<Way>> algorithms(Footing footing, CollectiveType type) {
        return names().stream()
                .filter(layer -> admits(layer) && LayerTables.serves(layer, footing))
                .flatMap(layer -> LayerTables.repertoire(layer, footing).algorithms(type).stream())
                .toList();
    }

    /// Who serves what on teams of this footing, with layers that plug in.
    ///
    /// @param plugged what each of them offers
    Selection<Way> selection(Footing footing, List<ScoreTable<Way>> plugged) {
        Selection<Way> own = selection(footing);
        if (plugged.isEmpty()) {
            return own;
        }
        ScoreTable<Way> merged = own.table();
        for (ScoreTable<Way> table : plugged) {
            merged = merged.merge(table);
        }
        return Selection.of(merged, footing.size());
    }

    @Override
    public boolean admits(String layer) {
        return admitted == null || admitted.admits(layer);
    }

    @Override
    public boolean names(String layer) {
        return admitted != null && admitted.names(layer);
    }
}
