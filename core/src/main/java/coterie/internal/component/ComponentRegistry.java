// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerAttributes;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.Diagnostic;
import coterie.internal.score.LayerList;
import coterie.internal.score.RangedValue;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.Tune;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The layers of a world that serve collectives, and what people want of them; [DefaultScores] has what they
/// offer.
public final class ComponentRegistry implements Components.LayerFilter {
    /// The transport layer whose algorithms are plans.
    static final String PLANS = "p2p";

    private static final int USUAL_RADIX = 4;
    private static final String AS_USUAL = "auto";

    /// Null if all are.
    private final @Nullable LayerList admitted;

    /// For each layer's name, its tuning string: what its words stand for depends on the team.
    private final Map<String, String> tunes;

    /// For each algorithm, such as "p2p/allreduce/sra", how long data are cut.
    private final Map<String, PipelineParameters> pipelines;

    /// How many members plans bring together in a step, by size.
    private final RangedValue radix;

    /// What serves the groups of collective layers.
    private final GroupSelection groups;

    private final Map<TeamTopology, ScoreMap<CollectiveAlgorithm>> scoreMaps = new ConcurrentHashMap<>();

    /// Teams of this PE that have opened layers.
    private final AtomicLong teams = new AtomicLong();

    private final boolean areAsBuilt;
    private final DiagnosticHandler diagnosticHandler;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// What becomes of a finding on a layer's tuning string that turns up on a team.
    ///
    /// @param isStrict whether it keeps the layers of the team from being used
    /// @param settings for each layer that plugs in, its setting and where that is from
    /// @param areTraced whether each collective is logged
    public record DiagnosticHandler(boolean isStrict, Map<String, String> settings, boolean areTraced) {
        static final DiagnosticHandler LENIENT = new DiagnosticHandler(false, Map.of(), false);
    }

    /// Reads the layers as people want them.
    ///
    /// @param list see [LayerList]
    /// @param listSetting its name, for messages
    /// @param tunes for each layer's name, plugged in or not, its tuning string, which may be empty; see [Tune]
    /// @param pipelines for algorithms by their names, such as "p2p/allreduce/sra", how long data are cut; of
    ///     vectors alone
    /// @param radix how many members plans bring together in a step, by size
    /// @param groupLists which transport layers serve the groups of collective layers
    /// @param diagnosticHandler of what turns up on teams
    /// @throws IllegalArgumentException if the list can't be read
    public ComponentRegistry(
            String list,
            String listSetting,
            Map<String, String> tunes,
            Map<String, PipelineParameters> pipelines,
            RangedValue radix,
            GroupLists groupLists,
            DiagnosticHandler diagnosticHandler) {
        this.radix = radix;
        this.groups = new GroupSelection(this, groupLists);
        this.admitted = list.equals("all") ? null : LayerList.parse(listSetting, list, tunes.keySet());
        this.areAsBuilt = admitted == null && tunes.values().stream().allMatch(String::isEmpty);
        this.tunes = Map.copyOf(tunes);
        this.pipelines = Map.copyOf(pipelines);
        this.diagnosticHandler = diagnosticHandler;
    }

    /// What is to be said of the list of layers.
    public List<Diagnostic> listFindings() {
        return admitted == null ? List.of() : admitted.remarks();
    }

    /// Counts a team for which this PE opens layers; the number is that of no other team, at least 1.
    long nextTeam() {
        return teams.incrementAndGet();
    }

    /// Whether users have a list of layers.
    boolean hasList() {
        return admitted != null;
    }

    /// What `hier` serves on teams of this footing, as users have tuned it.
    ScoreMap<CollectiveAlgorithm> tunedHierarchy(TeamTopology topology) {
        return ScoreMap.of(tuned(Hierarchy.COMPONENT, topology), topology.size());
    }

    /// Whether the layers serve as they offer: users have tuned nothing, and have no list of layers.
    boolean areAsBuilt() {
        return areAsBuilt;
    }

    /// Reads how many members plans bring together in a step.
    ///
    /// @param what the setting, for the message
    /// @throws IllegalArgumentException if it can't be read
    public static RangedValue radices(String what, String text) {
        return RangedValue.parse(what, text, 2);
    }

    /// How many members a plan brings together in a step, in `[2, size]` where there are as many.
    ///
    /// @param bytes of the collective, by which it is chosen
    public int radix(long bytes, int size) {
        int wanted = radix.at(MemoryType.HOST, bytes);
        return wanted == RangedValue.AUTO ? USUAL_RADIX : Math.min(wanted, Math.max(2, size));
    }

    /// What members must have alike beside the selection, in a word; 0 if it is as usual.
    long digest() {
        return radix.toString().equals(AS_USUAL) ? 0 : radix.toString().hashCode() * 0x9E3779B97F4A7C15L;
    }

    /// How data that go by an algorithm are cut.
    public PipelineParameters pipelineParameters(
            CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm) {
        return pipelines.isEmpty()
                ? PipelineParameters.NONE
                : pipelines.getOrDefault(
                        selectableAlgorithm.component() + "/" + type.label() + "/" + selectableAlgorithm.algorithm(),
                        PipelineParameters.NONE);
    }

    /// The names of the runtime's own layers.
    public static List<String> names() {
        return DefaultScores.names();
    }

    /// The algorithms of one of the runtime's own layers, such as "0 inline, 1 share", by collective.
    public static Map<CollectiveType, String> algorithms(String layer) {
        AlgorithmTable<CollectiveAlgorithm> algorithmTable = DefaultScores.algorithmTable(
                layer, DefaultScores.best(layer, DefaultScores.maxMembers(layer, 1)), SubgroupPlans.UNTUNED);
        Map<CollectiveType, String> names = new EnumMap<>(CollectiveType.class);
        algorithmTable.collectives().forEach(type -> names.put(type, algorithmTable.names(type)));
        return names;
    }

    /// The scores at which the runtime's own layers offer what they have.
    public static Map<String, Set<Integer>> scores() {
        return DefaultScores.scores();
    }

    /// What is to be said of the tuning string of a layer that plugs in, before it offers anything.
    ///
    /// @param size members of the largest team
    public List<Diagnostic> diagnostics(LayerAttributes layerAttributes, int size) {
        int most = Math.min(size, layerAttributes.maxMembers());
        return tune(layerAttributes).diagnostics(Math.min(most, layerAttributes.minMembers()), most);
    }

    private Tune<CollectiveAlgorithm> tune(LayerAttributes layerAttributes) {
        return Tune.parse(
                tunes.getOrDefault(layerAttributes.name(), ""), CollectiveAlgorithm.Plugged.table(layerAttributes));
    }

    /// What is to be said of the tuning string of a layer that plugs in, now that it has offered something to a
    /// team, each with its setting. What could be said before is not said again.
    List<String> remarks(Component component, ScoreTable<CollectiveAlgorithm> offered, int size) {
        Tune<CollectiveAlgorithm> tune = tune(component.layerAttributes());
        Set<Integer> before = tune.diagnostics(1, Integer.MAX_VALUE).stream()
                .map(Diagnostic::column)
                .collect(Collectors.toSet());
        return offered.update(tune, size).diagnostics().stream()
                .filter(each -> each.kind() == Diagnostic.Kind.NO_EFFECT && !before.contains(each.column()))
                .map(each -> "setting " + diagnosticHandler.settings.getOrDefault(component.name(), component.name())
                        + ", " + each)
                .toList();
    }

    /// Whether a remark has not been told of any team yet.
    boolean isNews(String remark) {
        return told.add(remark);
    }

    /// Whether each collective is logged.
    boolean areTraced() {
        return diagnosticHandler.areTraced;
    }

    /// Whether what can't be used, or has no effect, is refused.
    boolean areStrict() {
        return diagnosticHandler.isStrict;
    }

    /// What a layer that plugs in offers to a team, as people have tuned it.
    ScoreTable<CollectiveAlgorithm> tuned(Component component, ScoreTable<CollectiveAlgorithm> table, int size) {
        return tuned(table, tune(component.layerAttributes()), size);
    }

    static ScoreTable<CollectiveAlgorithm> tuned(
            ScoreTable<CollectiveAlgorithm> table, Tune<CollectiveAlgorithm> tune, int size) {
        return tune.switchesOff()
                ? ScoreTable.empty()
                : table.update(tune, size).table();
    }

    /// What is to be said of the tuning string of one of the runtime's own layers: tokens that can't be used, or
    /// change nothing whatever the team.
    ///
    /// @param size members of the largest team
    public List<Diagnostic> diagnostics(String layer, int size) {
        int least = DefaultScores.minMembers(layer);
        int most = DefaultScores.maxMembers(layer, size);
        Tune<CollectiveAlgorithm> tune = tune(layer, DefaultScores.best(layer, most));
        if (tune == null) {
            return List.of();
        }
        List<Diagnostic> diagnostics = new ArrayList<>(tune.diagnostics(least, most));
        Map<Integer, Diagnostic> idle = new TreeMap<>();
        for (int members : tune.teamSizes(least, most).reversed()) {
            Map<Integer, Diagnostic> here = new TreeMap<>();
            idle(layer, members).forEach(each -> here.put(each.column(), each));
            if (members == most) {
                idle.putAll(here);
            }
            idle.keySet().retainAll(here.keySet());
            idle.replaceAll((column, before) -> isOfOthers(before) ? here.getOrDefault(column, before) : before);
        }
        idle.values().stream()
                .filter(each -> !isOfOthers(each))
                .filter(each -> diagnostics.stream().noneMatch(told -> told.column() == each.column()))
                .forEach(diagnostics::add);
        diagnostics.sort(Comparator.comparingInt(Diagnostic::column));
        return diagnostics;
    }

    private static boolean isOfOthers(Diagnostic diagnostic) {
        return diagnostic.kind() == Diagnostic.Kind.OTHER_TEAM_SIZE;
    }

    /// The tokens of a layer's tuning string that change nothing on a team of so many.
    private List<Diagnostic> idle(String layer, int members) {
        TeamTopology topology = DefaultScores.best(layer, members);
        Tune<CollectiveAlgorithm> tune = Objects.requireNonNull(tune(layer, topology));
        return DefaultScores.table(layer, topology, groups.plans()).update(tune, members).diagnostics().stream()
                .filter(each -> each.kind() != Diagnostic.Kind.ERROR)
                .toList();
    }

    /// The tokens of a layer's tuning string that are for teams of other sizes.
    ///
    /// @param size members of the team
    public List<Diagnostic> findingsOfOthers(String layer, int size) {
        boolean isTuned = !tunes.getOrDefault(layer, "").isEmpty() && size >= DefaultScores.minMembers(layer);
        return isTuned
                ? idle(layer, size).stream()
                        .filter(ComponentRegistry::isOfOthers)
                        .toList()
                : List.of();
    }

    /// What serves the groups of collective layers.
    GroupSelection groups() {
        return groups;
    }

    /// A layer's tuning string, or null if there is none.
    @Nullable
    Tune<CollectiveAlgorithm> tune(String layer, TeamTopology topology) {
        String text = tunes.getOrDefault(layer, "");
        return text.isEmpty() ? null : Tune.parse(text, DefaultScores.algorithmTable(layer, topology, groups.plans()));
    }

    /// Explains which algorithms serve the collectives of a team.
    ///
    /// @param nodes of its members
    /// @param isDirect whether they load and store each other's memory
    public List<Explanation> explainAll(List<Integer> nodes, boolean isDirect) {
        return scoreMap(TeamTopology.of(nodes.size(), nodes::get, isDirect, true))
                .explainAll();
    }

    /// Returns which algorithms serve teams of this footing.
    ScoreMap<CollectiveAlgorithm> scoreMap(TeamTopology topology) {
        return scoreMaps.computeIfAbsent(topology, this::select);
    }

    private ScoreMap<CollectiveAlgorithm> select(TeamTopology topology) {
        return merged(layers(topology, this::admits).map(layer -> tuned(layer, topology)), topology.size());
    }

    /// The runtime's own layers that have anything for teams of this footing.
    private static Stream<String> layers(TeamTopology topology, Predicate<String> filter) {
        return names().stream().filter(layer -> filter.test(layer) && DefaultScores.serves(layer, topology));
    }

    /// What one of the runtime's own layers offers to teams of this footing, as users have tuned it.
    private ScoreTable<CollectiveAlgorithm> tuned(String layer, TeamTopology topology) {
        ScoreTable<CollectiveAlgorithm> table = DefaultScores.table(layer, topology, groups.plans());
        Tune<CollectiveAlgorithm> tune = tune(layer, topology);
        return tune == null ? table : tuned(table, tune, topology.size());
    }

    private static ScoreMap<CollectiveAlgorithm> merged(Stream<ScoreTable<CollectiveAlgorithm>> tables, int size) {
        return ScoreMap.of(tables.reduce(ScoreTable.empty(), ScoreTable::merge), size);
    }

    /// What the runtime's own layers have for a collective of teams of this footing, for whichever sizes.
    List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(TeamTopology topology, CollectiveType type) {
        return layers(topology, this::admits)
                .flatMap(layer ->
                        DefaultScores.algorithmTable(layer, topology, groups.plans()).algorithms(type).stream())
                .toList();
    }

    /// Returns which algorithms serve teams of this footing as the layers of the list offer them, whatever users have
    /// tuned.
    ///
    /// @param plugged what each layer that plugs in offers
    ScoreMap<CollectiveAlgorithm> offered(TeamTopology topology, List<ScoreTable<CollectiveAlgorithm>> plugged) {
        Stream<ScoreTable<CollectiveAlgorithm>> own =
                layers(topology, this::isListed).map(layer -> DefaultScores.table(layer, topology, groups.plans()));
        return merged(Stream.concat(own, plugged.stream()), topology.size());
    }

    /// Returns which algorithms serve teams of this footing, with layers that plug in.
    ///
    /// @param plugged what each of them offers
    ScoreMap<CollectiveAlgorithm> scoreMap(TeamTopology topology, List<ScoreTable<CollectiveAlgorithm>> plugged) {
        ScoreMap<CollectiveAlgorithm> own = scoreMap(topology);
        return plugged.isEmpty()
                ? own
                : merged(Stream.concat(Stream.of(own.table()), plugged.stream()), topology.size());
    }

    @Override
    public boolean opens(String layer) {
        return admits(layer) || (!isOff(layer) && groups.names(layer));
    }

    @Override
    public boolean asksFor(String layer) {
        return names(layer) || groups.names(layer);
    }

    /// Whether users have switched a layer off by its tuning string: such a layer is not even to be opened.
    boolean isOff(String layer) {
        return tunes.getOrDefault(layer, "").equals("0");
    }

    /// Whether a layer may serve teams.
    public boolean admits(String layer) {
        return !isOff(layer) && isListed(layer);
    }

    /// Whether the list of layers has a layer, which tuning may have switched off.
    boolean isListed(String layer) {
        return admitted == null || admitted.admits(layer);
    }

    /// Whether a layer was asked for by its name to serve teams.
    public boolean names(String layer) {
        return admitted != null && admitted.names(layer);
    }
}
