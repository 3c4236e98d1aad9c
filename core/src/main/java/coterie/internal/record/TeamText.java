// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.Team;
import java.util.ArrayList;
import java.util.List;

/// The text that names a team and its members: `row=0:4:2` for the PEs 0, 4, …, as many as 2; `odd=1,5,7` for
/// others.
public final class TeamText {
    private TeamText() {}

    /// Returns the text of a team.
    public static String of(Team team) {
        return of(team.name(), team.pes());
    }

    /// Returns the text of a team with these members, by numbers of the world.
    public static String of(String name, int[] pes) {
        StringBuilder text = new StringBuilder(name).append('=');
        int stride = pes.length > 1 ? pes[1] - pes[0] : 1;
        boolean isStrided = true;
        for (int member = 1; member < pes.length; member++) {
            isStrided &= pes[member] - pes[member - 1] == stride;
        }
        if (isStrided) {
            return text.append(pes[0])
                    .append(':')
                    .append(stride)
                    .append(':')
                    .append(pes.length)
                    .toString();
        }
        for (int member = 0; member < pes.length; member++) {
            text.append(member == 0 ? "" : ",").append(pes[member]);
        }
        return text.toString();
    }

    /// Returns the name of the team.
    public static String name(String text) {
        return text.substring(0, Math.max(0, text.lastIndexOf('=')));
    }

    /// Returns the members, by numbers of the world; empty for a text that names no team.
    public static List<Integer> members(String text) {
        String pes = text.substring(text.lastIndexOf('=') + 1);
        List<Integer> members = new ArrayList<>();
        if (pes.matches("\\d+:-?\\d+:\\d+")) {
            String[] parts = pes.split(":", -1);
            for (int member = 0; member < Integer.parseInt(parts[2]); member++) {
                members.add(Integer.parseInt(parts[0]) + member * Integer.parseInt(parts[1]));
            }
        } else if (pes.matches("\\d+(,\\d+)*")) {
            for (String pe : pes.split(",", -1)) {
                members.add(Integer.parseInt(pe));
            }
        }
        return members;
    }
}
