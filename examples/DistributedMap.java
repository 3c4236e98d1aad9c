// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int REGIONS = 1024; // each has a lock; so many that two PEs seldom want the same one
static final int SLOTS = 64; // of a region: room for 65536 words
static final int SLOT = 8; // longs of a slot: the count, then the word's letters, filled up with zeros
static final int LONGEST = (SLOT - 1) * Long.BYTES - 1; // letters of a word, of a longer one the first; then a zero

/// Distributed map: which words are the most frequent in a text? All PEs count into one hash map that is spread
/// over them.
///
/// The map is a table of slots in symmetric memory. A word's hash chooses a *region*, which lies on one PE, and a
/// slot where the search in it begins; each region has a lock. To change a word's count, a PE takes the lock,
/// fetches slots until it finds the word or an empty one, puts the slot back, and lets the lock go, which
/// completes the put.
///
/// Shows: locks, get and put of records, fetch-add as a work queue; real input.
/// Run: `coterie run -n 4 DistributedMap.java [FILE]...`; without files it reads the JDK's licences and settings.
/// Prints: how many words, the ten most frequent. Fails if PE 0 counts anything else alone.
void main(String[] args) throws IOException {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES DistributedMap.java [FILE]...\nCounts words in files and folders.");
        return;
    }
    List<Path> files = files(args);
    Words words = new Words(world);
    IntegerView taken = world.allocate(Long.BYTES).longs();

    long start = System.nanoTime();
    for (int i; (i = (int) taken.fetchAdd(0, 1, 0)) < files.size(); ) {
        count(files.get(i)).forEach(words::add);
    }
    world.team().barrier();
    double seconds = (System.nanoTime() - start) / 1e9;

    if (world.pe() != 0) return;
    Map<String, Long> counts = words.copy(), alone = new HashMap<>();
    for (Path file : files) count(file).forEach((word, count) -> alone.merge(word, count, Long::sum));
    alone.keySet().forEach(word -> check(word, alone.get(word), counts.getOrDefault(word, 0L)));
    check("all different words", alone.size(), counts.size());
    long total = counts.values().stream().mapToLong(count -> count).sum();
    report(world, "%d words, %d different ones, in %d files, counted by %d PEs in %.2f s",
            total, counts.size(), files.size(), world.size(), seconds);
    counts.keySet().stream()
            .sorted(Comparator.comparing((String word) -> -counts.get(word)).thenComparing(word -> word))
            .limit(10)
            .forEach(word -> report(world, "%7d  %s", words.get(word), word));
}

void check(String what, long alone, long together) {
    if (alone != together) throw new IllegalStateException(what + ": " + alone + " alone, " + together + " together");
}

/// Counts of words, in memory of all PEs.
static final class Words {
    final World world;
    final IntegerView slots;
    final SymmetricLock[] locks = new SymmetricLock[REGIONS];
    final MemorySegment slot = Arena.ofAuto().allocate(SLOT * Long.BYTES, Long.BYTES);
    final MemorySegment letters = slot.asSlice(Long.BYTES);

    Words(World world) {
        this.world = world;
        long regions = (REGIONS + world.size() - 1) / world.size(); // of a PE
        slots = world.allocate(regions * SLOTS * SLOT * Long.BYTES).longs();
        SymmetricMemory memory = world.allocate(REGIONS * SymmetricLock.BYTES);
        for (int region = 0; region < REGIONS; region++) locks[region] = memory.lock(region * SymmetricLock.LONGS);
    }

    /// Adds to a word's count.
    void add(String word, long count) {
        int region = region(word);
        locks[region].lock();
        try {
            long index = find(word);
            slot.set(ValueLayout.JAVA_LONG, 0, slot.get(ValueLayout.JAVA_LONG, 0) + count);
            slots.put(index, slot, 0, SLOT, region % world.size());
        } finally {
            locks[region].unlock();
        }
    }

    /// A word's count, 0 if nobody has added it.
    long get(String word) {
        locks[region(word)].lock();
        try {
            find(word);
            return slot.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            locks[region(word)].unlock();
        }
    }

    /// The index of the word's slot, or of an empty one for it, whose content is then in `slot`, with the word.
    long find(String word) {
        int region = region(word), pe = region % world.size();
        MemorySegment key = MemorySegment.ofArray(Arrays.copyOf(word.getBytes(StandardCharsets.US_ASCII), LONGEST + 1));
        for (int i = 0; i < SLOTS; i++) {
            long index = ((long) region / world.size() * SLOTS + (word.hashCode() + i & SLOTS - 1)) * SLOT;
            slots.get(index, slot, 0, SLOT, pe);
            if (slot.get(ValueLayout.JAVA_LONG, 0) == 0) letters.copyFrom(key);
            if (letters.mismatch(key) < 0) return index;
        }
        throw new IllegalStateException("no slot is left for " + word + " in region " + region);
    }

    /// Which region a word is in; region `r` lies on PE `r` modulo their number.
    int region(String word) {
        return (word.hashCode() * 0x9E3779B9 >>> 16) % REGIONS; // an odd number mixes all bits into the upper ones
    }

    /// All words with their counts. Nobody changes any meanwhile.
    Map<String, Long> copy() {
        Map<String, Long> counts = new HashMap<>();
        for (int pe = 0; pe < world.size(); pe++) {
            for (long index = 0; index < slots.length(); index += SLOT) {
                slots.get(index, slot, 0, SLOT, pe);
                long count = slot.get(ValueLayout.JAVA_LONG, 0);
                if (count > 0) counts.put(letters.getString(0, StandardCharsets.US_ASCII), count);
            }
        }
        return counts;
    }
}

/// The words of a file, runs of letters from a to z of either case, with how often each occurs.
Map<String, Long> count(Path file) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    String text = Files.readString(file, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    for (String word : text.split("[^a-z]+")) {
        if (!word.isEmpty()) counts.merge(word.substring(0, Math.min(word.length(), LONGEST)), 1L, Long::sum);
    }
    return counts;
}

/// The files that the arguments name, or the texts of the JDK: the same list on every PE.
List<Path> files(String[] args) throws IOException {
    Path home = Path.of(System.getProperty("java.home"));
    List<Path> roots = args.length > 0
            ? Stream.of(args).map(Path::of).toList()
            : Stream.of("conf", "legal").map(home::resolve).filter(Files::exists).toList();
    List<Path> files = new ArrayList<>();
    for (Path root : roots) {
        if (!Files.exists(root)) throw new IllegalArgumentException(root + " is neither file nor folder; see --help");
        try (Stream<Path> tree = Files.walk(root)) {
            tree.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
    }
    return files;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
