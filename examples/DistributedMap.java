// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int REGIONS = 1024; // each has a lock; with so many, two PEs seldom compete for one
static final int SLOTS = 64; // of a region; all regions together have room for 65536 words
static final int SLOT = 8; // longs of a slot: the count, then the word's letters, padded with zeros
static final int MAX_LETTERS = (SLOT - 1) * Long.BYTES - 1; // longer words are truncated; a zero ends the word

/// Distributed map: which words are the most frequent in a text? All PEs count into one hash map, whose slots are
/// distributed over their memories.
///
/// The map is a table of slots in symmetric memory. A word's hash selects a *region*, which is on one PE, and the
/// slot of the region where the search begins; each region has a lock. To change a word's count, a PE acquires the
/// lock, gets slots until it finds the word or an empty slot, puts the slot back, and releases the lock, which
/// completes the put.
///
/// Shows: locks, get and put of records, fetch-add as a work queue; real input.
/// Run: `coterie run -n 4 DistributedMap.java [FILE]...`; without files it reads the JDK's licences and settings.
/// Prints: the number of words and the ten most frequent ones. PE 0 then counts all words by itself; the program
/// fails if the results differ.
void main(String[] args) throws IOException {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES DistributedMap.java [FILE]...\nCounts words in files and folders.");
        return;
    }
    List<Path> files = files(args);
    Words words = new Words(world);
    LongView taken = world.allocate(Long.BYTES).longs();

    long start = System.nanoTime();
    for (int i; (i = (int) taken.getAndAdd(0, 1, 0)) < files.size(); ) {
        count(files.get(i)).forEach(words::add);
    }
    world.team().barrier();
    double seconds = (System.nanoTime() - start) / 1e9;

    if (world.pe() != 0) return;
    Map<String, Long> counts = words.copy(), expected = new HashMap<>();
    for (Path file : files) count(file).forEach((word, count) -> expected.merge(word, count, Long::sum));
    expected.keySet().forEach(word -> check(word, expected.get(word), counts.getOrDefault(word, 0L)));
    check("number of different words", expected.size(), counts.size());
    long total = counts.values().stream().mapToLong(count -> count).sum();
    report(world, "%d words, %d different ones, in %d files, counted by %d PEs in %.2f s",
            total, counts.size(), files.size(), world.size(), seconds);
    counts.keySet().stream()
            .sorted(Comparator.comparing((String word) -> -counts.get(word)).thenComparing(word -> word))
            .limit(10)
            .forEach(word -> report(world, "%7d  %s", words.get(word), word));
}

void check(String what, long expected, long found) {
    if (expected == found) return;
    throw new IllegalStateException(what + ": all PEs count " + found + ", PE 0 by itself counts " + expected);
}

/// Counts of words, in the memories of all PEs.
static final class Words {
    final World world;
    final LongView slots;
    final SymmetricLock[] locks = new SymmetricLock[REGIONS];
    final long[] slot = new long[SLOT];
    final MemorySegment letters = MemorySegment.ofArray(slot).asSlice(Long.BYTES);

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
            slot[0] += count;
            slots.put(index, slot, 0, SLOT, region % world.size());
        } finally {
            locks[region].unlock();
        }
    }

    /// Returns a word's count, 0 if no PE has added it.
    long get(String word) {
        locks[region(word)].lock();
        try {
            find(word);
            return slot[0];
        } finally {
            locks[region(word)].unlock();
        }
    }

    /// Returns the index of the word's slot, or of the empty slot that it may use. Leaves in `slot` the word and
    /// its count. The caller holds the region's lock.
    long find(String word) {
        int region = region(word), pe = region % world.size();
        byte[] ascii = word.getBytes(StandardCharsets.US_ASCII);
        MemorySegment key = MemorySegment.ofArray(Arrays.copyOf(ascii, MAX_LETTERS + 1));
        for (int i = 0; i < SLOTS; i++) {
            long index = ((long) region / world.size() * SLOTS + (word.hashCode() + i & SLOTS - 1)) * SLOT;
            slots.get(index, slot, 0, SLOT, pe);
            if (slot[0] == 0) letters.copyFrom(key);
            if (letters.mismatch(key) < 0) return index;
        }
        throw new IllegalStateException("all " + SLOTS + " slots of region " + region + " are in use: no room for " + word);
    }

    /// Returns the number of a word's region. Region `r` is on PE `r` modulo the number of PEs.
    int region(String word) {
        return (word.hashCode() * 0x9E3779B9 >>> 16) % REGIONS; // an odd number mixes all bits into the upper ones
    }

    /// Returns all words with their counts. The caller ensures that no PE adds words at the same time.
    Map<String, Long> copy() {
        Map<String, Long> counts = new HashMap<>();
        for (int pe = 0; pe < world.size(); pe++) {
            for (long index = 0; index < slots.length(); index += SLOT) {
                slots.get(index, slot, 0, SLOT, pe);
                if (slot[0] > 0) counts.put(letters.getString(0, StandardCharsets.US_ASCII), slot[0]);
            }
        }
        return counts;
    }
}

/// Returns the words of a file with their counts. A word is a run of letters from a to z, of either case.
Map<String, Long> count(Path file) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    String text = Files.readString(file, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    for (String word : text.split("[^a-z]+")) {
        if (!word.isEmpty()) counts.merge(word.substring(0, Math.min(word.length(), MAX_LETTERS)), 1L, Long::sum);
    }
    return counts;
}

/// Returns the files that the arguments name, or the texts of the JDK. All PEs get the same list.
List<Path> files(String[] args) throws IOException {
    Path home = Path.of(System.getProperty("java.home"));
    List<Path> roots = args.length > 0
            ? Stream.of(args).map(Path::of).toList()
            : Stream.of("conf", "legal").map(home::resolve).filter(Files::exists).toList();
    List<Path> files = new ArrayList<>();
    for (Path root : roots) {
        if (!Files.exists(root)) throw new IllegalArgumentException(root + " is neither a file nor a folder; see --help");
        try (Stream<Path> tree = Files.walk(root)) {
            tree.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
    }
    return files;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
