// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.gin.*;

/// Mixture of experts: layers of a model in which each token goes to two of many experts, which other PEs have.
///
/// Each PE has tokens and two experts. In a layer it *dispatches* its tokens: it puts each to the inboxes of the two
/// experts that a hash chooses. An inbox has a part for each sender, so that senders agree on nothing. The experts of
/// one PE are on different contexts, whose puts need no common order. After its last token for an expert the sender
/// adds to a VA signal, a word of a strict window: the add is strong, so that it follows all those tokens, and it is
/// their number and one more. The expert computes, and puts each result back with a weak add of 1: the *combine*.
/// Weak adds are enough, since their sum counts results of which each has come with its own. All waits have a
/// deadline.
///
/// Shows: puts on several contexts, strong and weak VA signals, a barrier without a fence.
/// Run: `coterie run -n 4 MixtureOfExperts.java [TOKENS [LAYERS]]`
/// Prints: `3 layers, 32 tokens on each of 4 PEs: 768 visits to 8 experts, the results are those of one PE`, and
/// fails if a PE by itself computes something else.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int tokens = args.length > 0 ? Integer.parseInt(args[0]) : 32;
    int layers = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    if (tokens < 1) throw new IllegalArgumentException("TOKENS is at least 1, not " + tokens);
    int me = world.pe(), pes = world.size(), places = tokens * CHOICES, inboxes = EXPERTS * pes * tokens;
    DeviceCommunicator comm = DeviceCommunicator.create(world, CommunicatorRequirements.DEFAULT
            .withConnectionType(ConnectionType.FULL).withWorldBarriers(1).withTimeout(Duration.ofMinutes(1)));
    SymmetricMemory memory = world.allocate((2L * places + 2L * inboxes) * SLOT);
    DoubleView numbers = memory.doubles();
    int results = places, inbox = 2 * places, outbox = 2 * places + inboxes; // in slots, after the tokens to send
    Window slots = comm.registerWindow(memory);
    SymmetricMemory words = world.allocate((EXPERTS * pes + 1L) * Long.BYTES);
    Window counts = comm.registerWindow(words, WindowFlag.STRICT_ORDERING);
    long returned = (long) EXPERTS * pes * Long.BYTES, visits = 0;
    long[] seen = new long[EXPERTS * pes];
    GinTeam all = comm.worldTeam();
    BarrierSession barrier = comm.worldBarrier(comm.gin(0), 0);
    double[][] mine = new double[tokens][];
    Arrays.setAll(mine, token -> start(me, token));

    for (int layer = 0; layer < layers; layer++) { // dispatch
        int[] sent = new int[pes * EXPERTS];
        for (int place = 0; place < places; place++) {
            int expert = choose(layer, me, place, pes), from = place * (WIDTH + 1);
            numbers.set(from, place);
            for (int i = 0; i < WIDTH; i++) numbers.set(from + 1 + i, mine[place / CHOICES][i]);
            long to = inbox + (long) (expert % EXPERTS * pes + me) * tokens + sent[expert]++;
            gin(comm, expert).put(all, expert / EXPERTS, slots, to * SLOT, slots, (long) place * SLOT, SLOT);
        }
        for (int expert = 0; expert < sent.length; expert++) {
            long word = (expert % EXPERTS * pes + me) * (long) Long.BYTES;
            RemoteAction add = RemoteAction.strongVaSignalAdd(counts, word, sent[expert] + 1);
            gin(comm, expert).signal(all, expert / EXPERTS, add);
        }
        // compute, and return
        for (int part = 0; part < EXPERTS * pes; part++) {
            int expert = me * EXPERTS + part / pes;
            gin(comm, expert).waitSignal(counts, (long) part * Long.BYTES, seen[part] + 1);
            long count = gin(comm, expert).readSignal(counts, (long) part * Long.BYTES) - seen[part] - 1;
            seen[part] += count + 1;
            for (long slot = (long) part * tokens; slot < (long) part * tokens + count; slot++) {
                long from = (inbox + slot) * (WIDTH + 1), to = (outbox + slot) * (WIDTH + 1);
                long place = results + (long) numbers.get(from);
                for (int i = 1; i <= WIDTH; i++) numbers.set(to + i, expert(expert, numbers.get(from + i)));
                gin(comm, expert).put(all, part % pes, slots, place * SLOT, slots, (outbox + slot) * SLOT, SLOT,
                        RemoteAction.weakVaSignalAdd(counts, returned, 1));
            }
            visits += count;
        }
        // combine
        comm.gin(0).waitSignal(counts, returned, (layer + 1L) * places);
        for (int token = 0; token < tokens; token++) {
            long first = (results + (long) token * CHOICES) * (WIDTH + 1) + 1, second = first + WIDTH + 1;
            for (int i = 0; i < WIDTH; i++) mine[token][i] = combine(numbers.get(first + i), numbers.get(second + i));
        }
        barrier.sync(FenceLevel.NONE); // no PE begins a layer while an expert still counts the tokens of this one
    }
    for (int token = 0; token < tokens; token++) {
        if (!Arrays.equals(mine[token], alone(me, token, layers, pes))) {
            throw new IllegalStateException("token " + token + " of PE " + me + " is wrong");
        }
    }
    visits = world.team().sum(visits);
    if (me == 0) {
        IO.println("%d layers, %d tokens on each of %d PEs: %d visits to %d experts, the results are those of one PE"
                .formatted(layers, tokens, pes, visits, pes * EXPERTS));
    }
    comm.close();
}

static final String USAGE = "usage: coterie run -n PES MixtureOfExperts.java [TOKENS [LAYERS]]\n"
        + "Each of TOKENS tokens of a PE (32) visits two experts in each of LAYERS layers (3).";
static final int EXPERTS = 2, CHOICES = 2, WIDTH = 16; // experts of a PE, experts of a token, numbers of a token
static final int SLOT = (WIDTH + 1) * Double.BYTES; // the number of a choice, and a token

Gin gin(DeviceCommunicator comm, int expert) { return comm.gin(expert % comm.contextCount()); }

/// Returns the expert of a choice; the two of a token differ.
int choose(int layer, int pe, int place, int pes) {
    int experts = pes * EXPERTS, token = place / CHOICES;
    int first = (int) (new SplittableRandom(layer * 1_000_003L + pe * 1009L + token).nextLong() >>> 33) % experts;
    return place % CHOICES == 0 ? first : (first + 1 + token % (experts - 1)) % experts;
}

double[] start(int pe, int token) { return new SplittableRandom(pe * 7919L + token).doubles(WIDTH).toArray(); }
double expert(int expert, double x) { return x * (1 + expert / 8.0) - 0.25; }
double combine(double first, double second) { return 0.75 * first + 0.25 * second; }

/// Computes a token without the other PEs.
double[] alone(int pe, int token, int layers, int pes) {
    double[] x = start(pe, token);
    for (int layer = 0; layer < layers; layer++) {
        int first = choose(layer, pe, token * CHOICES, pes), second = choose(layer, pe, token * CHOICES + 1, pes);
        for (int i = 0; i < WIDTH; i++) x[i] = combine(expert(first, x[i]), expert(second, x[i]));
    }
    return x;
}
