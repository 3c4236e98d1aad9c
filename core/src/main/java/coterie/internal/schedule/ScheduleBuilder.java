// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/// Gathers the parts of a schedule, and which starts after which.
public final class ScheduleBuilder {
    private final ProgressEngine engine;
    private final TaskDescription description;
    private final Persistence persistence;
    private final List<Task> parts = new ArrayList<>();
    private final IdentityHashMap<Task, Integer> places = new IdentityHashMap<>();
    private final List<Edge> edges = new ArrayList<>();

    /// A dependence: one part, by place, starts after another.
    private record Edge(int before, TaskEvent event, int after) {}

    ScheduleBuilder(ProgressEngine engine, TaskDescription description, Persistence persistence) {
        this.engine = engine;
        this.description = description;
        this.persistence = persistence;
    }

    /// Adds a part, which starts at once unless it waits for others.
    ///
    /// @throws IllegalArgumentException if it was added already
    public ScheduleBuilder add(Task part) {
        if (places.putIfAbsent(part, parts.size()) != null) {
            throw refused("it already contains task \"" + part.name() + "\"");
        }
        parts.add(part);
        return this;
    }

    /// Adds a part that starts after others, which were added before, have completed.
    public ScheduleBuilder add(Task part, Task... predecessors) {
        add(part);
        for (Task each : predecessors) {
            after(each, TaskEvent.COMPLETED, part);
        }
        return this;
    }

    /// Lets a part start after another has started or completed.
    ///
    /// @throws IllegalArgumentException if one of them was not added, or for the event FAILED: after a failure no
    ///     part starts
    public ScheduleBuilder after(Task before, TaskEvent event, Task part) {
        if (event == TaskEvent.FAILED) {
            throw refused("no part can start after another has FAILED, only after it has STARTED or COMPLETED");
        }
        edges.add(new Edge(place(before), event, place(part)));
        return this;
    }

    /// Makes the schedule; its parts are its own from now on.
    ///
    /// @throws IllegalArgumentException if some parts each start after another, in a circle; the message names
    ///     them
    /// @throws IllegalStateException if a part has been posted, or belongs to another schedule or engine
    public Schedule build() {
        int[] needs = counts();
        int[][] afterStart = dependents(TaskEvent.STARTED);
        int[][] afterCompletion = dependents(TaskEvent.COMPLETED);
        refuseCycles(needs.clone(), afterStart, afterCompletion);
        return new Schedule(engine, description, persistence, parts, needs, afterStart, afterCompletion);
    }

    private int place(Task task) {
        Integer place = places.get(task);
        if (place == null) {
            throw refused("it does not contain task \"" + task.name() + "\"; add the task first");
        }
        return place;
    }

    private int[] counts() {
        int[] needs = new int[parts.size()];
        for (Edge edge : edges) {
            needs[edge.after]++;
        }
        return needs;
    }

    private int[][] dependents(TaskEvent event) {
        int[][] dependents = new int[parts.size()][];
        for (int part = 0; part < dependents.length; part++) {
            int before = part;
            dependents[part] = edges.stream()
                    .filter(edge -> edge.before == before && edge.event == event)
                    .mapToInt(Edge::after)
                    .toArray();
        }
        return dependents;
    }

    /// Removes, again and again, the parts that wait for no other. The remaining ones have a cycle, and the way
    /// back from any of them leads into one.
    private void refuseCycles(int[] needs, int[][] afterStart, int[][] afterCompletion) {
        int[] free = new int[parts.size()];
        int count = 0;
        for (int part = 0; part < needs.length; part++) {
            if (needs[part] == 0) {
                free[count++] = part;
            }
        }
        for (int taken = 0; taken < count; taken++) {
            for (int[] dependents : List.of(afterStart[free[taken]], afterCompletion[free[taken]])) {
                for (int dependent : dependents) {
                    if (--needs[dependent] == 0) {
                        free[count++] = dependent;
                    }
                }
            }
        }
        if (count < parts.size()) {
            throw refused("its dependencies form a cycle: " + cycle(needs));
        }
    }

    /// @param needs greater than 0 for the remaining parts
    private String cycle(int[] needs) {
        List<Integer> way = new ArrayList<>();
        int part = 0;
        while (needs[part] == 0) {
            part++;
        }
        while (!way.contains(part)) {
            way.add(part);
            part = predecessor(part, needs);
        }
        List<Integer> circle = new ArrayList<>(way.subList(way.indexOf(part), way.size()));
        circle.add(part);
        Collections.reverse(circle);
        return String.join(
                " → ", circle.stream().map(each -> parts.get(each).name()).toList());
    }

    private int predecessor(int part, int[] needs) {
        return edges.stream()
                .filter(edge -> edge.after == part && needs[edge.before] > 0)
                .findFirst()
                .orElseThrow()
                .before;
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "schedule \"" + description.name() + "\" on PE " + engine.pe() + ": " + why);
    }
}
