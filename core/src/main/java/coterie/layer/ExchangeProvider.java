// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer's part of a team that exchanges bytes for all layers of the team, once they are open, in place of the
/// runtime.
///
/// If several layers provide exchanges, the one with the highest [Layer#defaultScore] does. A layer provides them
/// on all members of a team or on none. The parts that a layer has of groups provide none.
/// @counterpart `ucc_tl_service_coll_t` of a component; an allgather, from which layers take reductions and
///     broadcasts
public interface ExchangeProvider extends LayerTeam {

    /// Begins to send bytes to all members and to receive theirs, without waiting. All members call it, for the
    /// same exchanges, one at a time; the runtime then asks [Exchange#isDone] until it returns true.
    ///
    /// @param mine [0, 65536] bytes; the length may differ between members
    /// @throws RuntimeException from here or from the exchange: the exchanges of all layers of the team fail on
    ///     all members
    Exchange exchange(byte[] mine);
}
