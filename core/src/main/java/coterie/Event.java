// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Something that happens at some moment, for operations that begin then, such as
/// [coterie.collective.Request#postWhen].
///
/// Whoever advances such operations asks again and again, until it has happened, from any thread: the answer must
/// come at once, without waiting, and once it has been yes nobody asks again. It must not call collectives; they
/// are refused there. It may be a flag of the program's, a word of symmetric memory, the end of another operation:
///
/// ```java
/// request.postWhen(() -> inbox.test(0, Comparison.GE, 1));
/// next.postWhen(request::isComplete);
/// ```
@FunctionalInterface
public interface Event {

    /// Whether it has happened.
    boolean hasHappened();
}
