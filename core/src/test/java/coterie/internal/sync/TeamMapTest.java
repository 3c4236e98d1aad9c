// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Maps of teams.
class TeamMapTest {

    @ParameterizedTest
    @CsvSource({
        "Strided, 0 1 2 3 4 5 6 7 8 9",
        "Strided, 1 31 61 91",
        "Strided, 100 90 80 70 60",
        "Strided, 5",
        "Strided, 9 4",
        "Listed, 1 5 6 8 11",
        "Listed, 0 1 2 4",
    })
    @DisplayName("UC-12 a list of PEs becomes the smallest map that fits, with the same members in the same order")
    void ofList(String form, String list) {
        int[] pes = Arrays.stream(list.split(" ")).mapToInt(Integer::parseInt).toArray();
        TeamMap map = TeamMap.listed(pes);
        assertThat(map.getClass().getSimpleName()).isEqualTo(form);
        assertThat(IntStream.range(0, map.size()).map(map::pe).toArray()).containsExactly(pes);
        for (int pe = -1; pe < 110; pe++) {
            int wanted = pe;
            int member = IntStream.range(0, pes.length)
                    .filter(each -> pes[each] == wanted)
                    .findFirst()
                    .orElse(-1);
            assertThat(map.member(pe)).as("member of PE %s", pe).isEqualTo(member);
        }
        TeamMap reversed = map.compose(TeamMap.strided(pes.length - 1, -1, pes.length));
        assertThat(reversed.pe(0)).isEqualTo(pes[pes.length - 1]);
        assertThat(map.compose(TeamMap.full(pes.length)).pe(0)).isEqualTo(pes[0]);
    }
}
