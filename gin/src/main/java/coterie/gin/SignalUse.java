// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Finds increments and adds that meet on one indexed signal without a reset between them.
///
/// The first use since the last reset is a word beside the signal, at its target: the use, and the rank and the
/// line of the program that has used it. A rank that has used a signal of a target in one way remembers this,
/// and asks the target again only when it turns to the other way. So one case is missed: a rank that goes on as
/// before after a reset does not see that another rank has begun to do it the other way.
final class SignalUse {
    static final int NONE = 0;
    static final int INCREMENTS = 1;
    static final int ADDS = 2;

    private static final int USE_BITS = 2;
    private static final int RANK_SHIFT = USE_BITS;
    private static final int SITE_SHIFT = 34;
    private static final long RANK_MASK = 0xffff_ffffL;

    private final DeviceCommunicator comm;
    private final GinContext context;
    private final int signals;

    /// by target and signal; threads may miss each other's notes
    private final byte[] remembered;

    SignalUse(DeviceCommunicator comm, GinContext context) {
        this.comm = comm;
        this.context = context;
        this.signals = comm.layout().namedSignals;
        this.remembered = new byte[Math.multiplyExact(comm.size(), signals)];
    }

    /// Checks that a use fits those before it.
    ///
    /// @throws GinException with [GinError#MIXED_ACTIONS]; nothing is sent
    void check(String operation, int target, int signal, int use) {
        int slot = target * signals + signal;
        if (remembered[slot] != use) {
            ask(operation, target, signal, use, slot);
        }
    }

    private void ask(String operation, int target, int signal, int use, int slot) {
        int site = comm.sites().note();
        long mine = use | ((long) comm.rank() << RANK_SHIFT) | ((long) site << SITE_SHIFT);
        long first = context.words.compareAndExchange(comm.layout().use(context.index, signal), NONE, mine, target);
        int before = (int) (first & ((1 << USE_BITS) - 1));
        if (before != NONE && before != use) {
            int rank = (int) ((first >>> RANK_SHIFT) & RANK_MASK);
            throw new GinException(
                    GinError.MIXED_ACTIONS,
                    context.where(operation) + ": " + comm.sites().text(comm.rank(), site) + " " + present(use)
                            + " signal " + signal + " of rank " + target + ", and since its last reset "
                            + comm.sites().text(rank, (int) (first >>> SITE_SHIFT)) + " " + past(before)
                            + " it; reset it between the two, or use two signals");
        }
        remembered[slot] = (byte) use;
    }

    /// The caller has reset its signal.
    void reset(int signal) {
        context.words.set(comm.layout().use(context.index, signal), NONE);
        remembered[comm.rank() * signals + signal] = NONE;
    }

    private static String present(int use) {
        return use == INCREMENTS ? "increments" : "adds to";
    }

    private static String past(int use) {
        return use == INCREMENTS ? "has incremented" : "has added to";
    }
}
