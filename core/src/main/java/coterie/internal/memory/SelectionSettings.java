// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/// The settings that must be equal on all PEs of a world, since PEs choose algorithms by them.
///
/// A difference alone is no error: values may be spelled differently and mean the same, or affect nothing that a
/// program uses. Where members turn out to choose different algorithms, the message names the differing settings.
/// Each PE compares its settings with those of the first PE that has joined the world, and sets a bit on its
/// status page for each difference.
public final class SelectionSettings {
    /// Stands for the tuning strings of all layers that plug in.
    public static final String PLUGGED_TUNES = "TL_…_TUNE of a layer that plugs in";

    /// In the order of the bits.
    public static final List<String> NAMES = List.of(
            "LOAD_STORE",
            "TLS",
            "TL_SELF_TUNE",
            "TL_MAPPED_TUNE",
            "TL_P2P_TUNE",
            "CL_HIER_TUNE",
            "CL_HIER_TLS",
            "CL_HIER_NODE_SBGP_TLS",
            "CL_HIER_NODE_LEADERS_SBGP_TLS",
            "CL_HIER_NET_SBGP_TLS",
            "CL_HIER_FULL_SBGP_TLS",
            "TL_P2P_KN_RADIX",
            "TL_P2P_ALLREDUCE_SRA_PIPELINE",
            "CL_HIER_ALLREDUCE_RAB_PIPELINE",
            "CL_HIER_ALLREDUCE_SPLIT_RAIL_PIPELINE",
            "CL_HIER_BCAST_2STEP_PIPELINE",
            "CL_HIER_REDUCE_2STEP_PIPELINE",
            "TUNE_STRICT",
            PLUGGED_TUNES);

    private SelectionSettings() {}

    /// Which settings members of a team don't have alike, for the end of a message: "; setting TLS is another on
    /// PEs [2] than on the rest". Empty where there is none.
    ///
    /// @param others the bits of each PE
    /// @param pes in the members' order
    public static String difference(IntToLongFunction others, int... pes) {
        StringBuilder words = new StringBuilder();
        for (int setting = 0; setting < NAMES.size(); setting++) {
            List<Integer> odd = new ArrayList<>();
            for (int pe : pes) {
                if ((others.applyAsLong(pe) >>> setting & 1) != 0) {
                    odd.add(pe);
                }
            }
            if (!odd.isEmpty() && odd.size() < pes.length) {
                words.append("; setting ")
                        .append(NAMES.get(setting))
                        .append(" is another on PEs ")
                        .append(odd)
                        .append(" than on the rest");
            }
        }
        return words.toString();
    }
}
