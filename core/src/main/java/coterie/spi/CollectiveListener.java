// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementView;

/// Learns of the collectives that threads of a PE call on their own behalf, before each of them begins: barriers,
/// numbers, data, and what allocates or frees symmetric memory. Requests are not among them.
/// [FaceSupport#addCollectiveListener] registers it; an engine of streams is one.
///
/// The calling thread calls it, with the collective's arguments checked or not. It must not wait, and should
/// allocate nothing. If it throws, the collective throws that, and this PE does not take part.
@FunctionalInterface
public interface CollectiveListener {

    /// A collective is about to begin.
    ///
    /// @param operation the name of the method, such as `allReduce`
    void beforeCollective(String operation);

    /// A collective that allocates, resizes or frees symmetric memory is about to begin.
    default void beforeAllocation(String operation) {
        beforeCollective(operation);
    }

    /// A collective that [#beforeCollective] has told of is about to read or write memory of this PE. Numbers that
    /// travel by value have none.
    ///
    /// @param count elements from `index` on, in the view
    default void beforeAccess(String operation, ElementView elements, long index, long count) {}

    /// A listener that is registered.
    interface Registration extends AutoCloseable {
        /// Ends the registration; a call of another thread may still be under way. A second close does nothing.
        @Override
        void close();
    }
}
