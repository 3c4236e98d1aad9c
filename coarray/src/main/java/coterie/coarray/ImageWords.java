// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Says what core says in words of images: an error of core that has no words here names the images of the team.
final class ImageWords {
    private static final Pattern PLACE = Pattern.compile("(?:team \"[^\"]*\", )?PEs? (\\d+)");
    private static final Pattern LIST = Pattern.compile("PEs \\[([\\d, ]+)]");
    private static final Pattern MEMBER = Pattern.compile("member (\\d+)");

    private ImageWords() {}

    /// Returns a text of core with the images of a roster in place of PEs and members.
    static String of(String text, Roster roster) {
        String listed = LIST.matcher(text)
                .replaceAll(list -> "images "
                        + ImageSet.of(Arrays.stream(list.group(1).split(", "))
                                .mapToInt(pe -> 1 + Math.max(-1, roster.memberOf(Integer.parseInt(pe))))
                                .filter(image -> image > 0)
                                .toArray()));
        String named = PLACE.matcher(listed).replaceAll(place -> image(roster.memberOf(number(place)), place));
        return MEMBER.matcher(named)
                .replaceAll(member -> "image " + (number(member) + 1))
                .replaceAll("team \"[^\"]*\"", "the team")
                .replace("this PE", "this image")
                .replace("all PEs", "all images")
                .replaceAll("\\bPEs\\b", "images")
                .replaceAll("\\bPE\\b", "image")
                .replaceAll("\\b[Mm]embers\\b", "images")
                .replaceAll("symmetric memory|symmetric heap", "memory of coarrays")
                .replaceAll("\\bblock\\b", "coarray");
    }

    private static int number(MatchResult match) {
        return Integer.parseInt(match.group(1));
    }

    private static String image(int member, MatchResult place) {
        return member >= 0 ? "image " + (member + 1) : "image " + (number(place) + 1) + " of the initial team";
    }
}
