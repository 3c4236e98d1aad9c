// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayerListTest {
    private static final List<String> KNOWN = List.of("self", "mapped", "p2p");

    private static LayerList parse(String text) {
        return LayerList.parse("setting LAYERS (from here)", text, KNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    all            | self mapped p2p |
                    ALL            | self mapped p2p |
                    p2p            | p2p             | p2p
                    p2p,self       | self p2p        | self p2p
                    P2P,Mapped,p2p | mapped p2p      | mapped p2p
                    ^p2p           | self mapped     |
                    ^P2p,self      | mapped          |
                    ^self,p2p,mapped |               |
                    ^shm,self      | mapped p2p      |
                    """)
    @DisplayName("a list admits all, those named, or all but those; only named layers must be usable")
    void lists(String text, String admitted, String named) {
        LayerList list = parse(text);
        assertThat(KNOWN.stream().filter(list::admits).collect(Collectors.joining(" ")))
                .isEqualTo(admitted == null ? "" : admitted);
        assertThat(KNOWN.stream().filter(list::names).collect(Collectors.joining(" ")))
                .isEqualTo(named == null ? "" : named);
        assertThat(list).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''         | 1 | ''
                    ^          | 2 | ''
                    ,self      | 1 | ''
                    self,      | 6 | ''
                    self,shm   | 6 | shm
                    '^self, shm' | 7 | ' shm'
                    ^self,9    | 7 | 9
                    self,^p2p  | 6 | ^p2p
                    self,all   | 6 | all
                    ^all       | 2 | all
                    ^^self     | 2 | ^self
                    'self, p2p'| 6 | ' p2p'
                    """)
    @DisplayName("what can't be read is reported with its column, the word and the known names")
    void refusals(String text, int column, String word) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(text))
                .withMessage(
                        "setting LAYERS (from here), column %d: \"%s\" is not a layer; allowed: mapped, p2p, self; "
                                + "or all"
                                + " as the only word, or ^ before the list to exclude its layers. A layer that plugs in"
                                + " has its jar on the class path (-cp), with a service entry",
                        column, word);
    }

    @Test
    @DisplayName("an excluded layer may be absent: a finding names it, and the list is used")
    void layersThatAreLeftOutNeedNotBeThere() {
        assertThat(parse("^p2p,Shm").remarks())
                .singleElement()
                .hasToString(
                        "column 6: \"Shm\" has no effect: no layer has this name; allowed: mapped, p2p," + " self");
        assertThat(parse("^p2p").remarks()).isEmpty();
    }

    @Test
    @DisplayName("a layer that is not known at all is not admitted by name, and not by all")
    void unknownLayers() {
        assertThat(parse("all").admits("other")).isFalse();
        assertThat(parse("self").admits("other")).isFalse();
    }
}
