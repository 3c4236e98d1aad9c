// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.layer.Composition.BufferSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/// How a [Composition] divides its vectors into fragments, of which several are under way at a time.
///
/// ```
///  SEQUENTIAL    fragment 0   stage 0   stage 1   stage 2
///                fragment 1             stage 0   stage 1   stage 2
///                fragment 2                       stage 0   …
///
///  TOGETHER      fragment 0   stage 0   stage 1   stage 2
///                fragment 1   stage 0   stage 1   stage 2
///                fragment 2                                 stage 0   …
/// ```
///
/// What is in one column begins together, in the order of the fragments, after the column before is complete.
/// @counterpart `ucc_pipeline_params_t`
/// @param fragments number of fragments, at least 1
/// @param depth the largest number of fragments under way, at least 1
public record FragmentPipeline(int fragments, int depth, Order order) {

    /// How stages of different fragments follow each other.
    public enum Order {
        /// a stage of a fragment begins when the same stage of the fragment before is complete, so that different
        /// stages are under way together; UCC's `sequential`
        SEQUENTIAL,
        /// the same stages of `depth` fragments begin together, in the fragments' order; UCC's `ordered` and
        /// `parallel`
        TOGETHER
    }

    /// One fragment, for vectors that are not divided.
    public static final FragmentPipeline NONE = new FragmentPipeline(1, 1, Order.SEQUENTIAL);

    /// @throws IllegalArgumentException if a number is less than 1
    public FragmentPipeline {
        Objects.requireNonNull(order, "FragmentPipeline: order is null");
        if (fragments < 1 || depth < 1) {
            throw new IllegalArgumentException(
                    "pipeline of " + fragments + " fragments at depth " + depth + ": both must be at least 1");
        }
    }

    /// Returns the pipeline for a vector of so many elements, with no more fragments than that.
    public FragmentPipeline upTo(long elements) {
        int most = (int) Math.max(1, Math.min(elements, fragments));
        return new FragmentPipeline(most, Math.min(depth, most), order);
    }

    /// Returns where a fragment begins, of a vector of so many elements: fragments differ by one element at most,
    /// the later ones are the shorter ones. Fragment `fragments` begins at the end of the vector.
    public long begin(long elements, int fragment) {
        return elements / fragments * fragment + Math.min(fragment, elements % fragments);
    }

    /// Adds the stages of all fragments to a composition.
    void add(Composition whole, IntFunction<Composition> fragment) {
        List<List<List<Composition.Stage>>> columns = new ArrayList<>();
        List<Composition> made = new ArrayList<>();
        long[] scratchBytes = new long[Math.min(depth, fragments)];
        for (int number = 0; number < fragments; number++) {
            Composition one = fragment.apply(number);
            int lane = number % scratchBytes.length;
            scratchBytes[lane] = Math.max(scratchBytes[lane], one.scratchBytes());
            made.add(one);
        }
        BufferSlice[] scratch = new BufferSlice[scratchBytes.length];
        for (int lane = 0; lane < scratch.length; lane++) {
            scratch[lane] = whole.scratch(scratchBytes[lane]);
        }
        int[] begins = new int[fragments];
        int[] ends = new int[fragments];
        for (int number = 0; number < fragments; number++) {
            List<List<Composition.Stage>> blocks = made.get(number).blocks();
            begins[number] = begin(number, begins, ends);
            ends[number] = begins[number] + blocks.size();
            long base = scratch[number % scratch.length].byteOffset();
            for (int block = 0; block < blocks.size(); block++) {
                while (columns.size() <= begins[number] + block) {
                    columns.add(new ArrayList<>());
                }
                columns.get(begins[number] + block)
                        .add(blocks.get(block).stream()
                                .map(stage -> Composition.moved(stage, base, Composition.Start.TOGETHER))
                                .toList());
            }
        }
        for (List<List<Composition.Stage>> column : columns) {
            whole.addTogether(column.stream().flatMap(List::stream).toList());
        }
    }

    /// Returns the column in which a fragment begins.
    ///
    /// @param begins where those before have begun
    /// @param ends the columns after those in which they end
    private int begin(int number, int[] begins, int[] ends) {
        int free = number < depth ? 0 : ends[number - depth];
        if (number == 0) {
            return free;
        }
        return Math.max(free, begins[number - 1] + (order == Order.SEQUENTIAL ? 1 : 0));
    }
}
