// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The members that the rosetta names, of all modules.
class RosettaTest {
    private static final Pattern MEMBER = Pattern.compile("`(coterie(?:\\.\\w+)+)(?:#(\\w+))?`");

    @Test
    void everyMemberThatTheRosettaNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        Matcher member = MEMBER.matcher(Files.readString(Path.of("../docs/rosetta.md")));
        while (member.find()) {
            named++;
            if (!exists(member.group(1), member.group(2))) {
                missing.add(member.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(150);
    }

    @Test
    @DisplayName("each name of the documents that the page maps is in a row of it")
    void everyNameOfTheDocumentsHasARow() throws IOException {
        String rows = Files.readAllLines(Path.of("../docs/rosetta.md")).stream()
                .filter(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
        List<String> names = Files.readAllLines(Path.of("src/test/resources/rosetta-names.txt")).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        assertThat(names).hasSizeGreaterThan(150);
        assertThat(names)
                .filteredOn(name -> !Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)")
                        .matcher(rows)
                        .find())
                .isEmpty();
    }

    private static boolean exists(String type, String name) {
        try {
            Class<?> named = Class.forName(type);
            return name == null
                    || Arrays.stream(named.getMethods())
                            .anyMatch(method -> method.getName().equals(name));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
