// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int CHUNK = 128; // classes that a PE takes at a time
static final double UNIT = 0x1p-60; // sums over PEs are of whole multiples of this, so they are exact in any order

/// PageRank: on which classes of the running JDK do its other classes depend most?
///
/// The vertices are all classes of the JDK's image (`jrt:`), sorted by file. An edge leads from a class to each
/// other class that its constant pool names. PEs take modules to list and classes to parse from a shared counter.
/// Each PE then owns a range of vertices with an equal part of the edges. In each iteration it adds up the
/// contributions to its vertices in a fixed order, and puts the results to all PEs; so the ranks have the same
/// bits for every number of PEs.
///
/// Shows: fetch-add as a work queue and as an allocator of shared memory, put, barrier, exact sums; real input.
/// Run: `coterie run -n 4 PageRank.java [--top K] [--iterations N] [--damping D] [--tolerance T]`
/// Prints: the size of the graph, the times to read it and of an iteration, the K classes of highest rank. The
/// program fails if the sum of all ranks is not 1.
void main(String[] args) throws IOException {
    var options = new TreeMap<>(Map.of("--top", 20.0, "--iterations", 1000.0, "--damping", 0.85, "--tolerance", 1e-12));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES PageRank.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Double.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    long start = System.nanoTime();
    FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
    List<String> files = list(world, image);
    long[] edges = parse(world, image, files);
    report(world, "%d classes, %d references, read in %.2f s",
            files.size(), edges.length, (System.nanoTime() - start) / 1e9);
    double[] ranks = rank(world, files.size(), edges, options);
    IntStream.range(0, ranks.length).boxed().sorted(Comparator.comparingDouble(v -> -ranks[v]))
            .limit(options.get("--top").longValue())
            .forEach(v -> report(world, "%.15f  %s", ranks[v], name(files.get(v)).replace('/', '.')));
}

/// Returns the files of all classes, such as `/modules/java.base/java/lang/Object.class`. All PEs get the same
/// list.
List<String> list(World world, FileSystem image) throws IOException {
    StringBuilder mine = new StringBuilder();
    LongView taken = world.allocate(Long.BYTES).longs();
    try (Stream<Path> folders = Files.list(image.getPath("/modules"))) {
        List<Path> modules = folders.sorted().toList();
        for (long i; (i = taken.getAndAdd(0, 1, 0)) < modules.size(); ) {
            try (Stream<Path> tree = Files.walk(modules.get((int) i))) {
                tree.map(Path::toString).filter(file -> file.endsWith(".class") && !file.endsWith("/module-info.class"))
                        .forEach(file -> mine.append(file).append('\n'));
            }
        }
    }
    MemorySegment all = gather(world, MemorySegment.ofArray(mine.toString().getBytes(StandardCharsets.UTF_8)));
    return new String(all.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8).lines().sorted().toList();
}

/// Returns all references, each once, as `target << 32 | source`, ascending. All PEs get the same array.
long[] parse(World world, FileSystem image, List<String> files) throws IOException {
    Map<String, Integer> vertices = HashMap.newHashMap(files.size());
    files.forEach(file -> vertices.put(name(file), vertices.size()));
    LongStream.Builder mine = LongStream.builder();
    LongView taken = world.allocate(Long.BYTES).longs();
    for (int first; (first = (int) taken.getAndAdd(0, CHUNK, 0)) < files.size(); ) {
        for (int source = first; source < Math.min(first + CHUNK, files.size()); source++) {
            Set<Integer> targets = new HashSet<>(Arrays.asList(source, null));
            byte[] type = Files.readAllBytes(image.getPath(files.get(source)));
            for (PoolEntry entry : ClassFile.of().parse(type).constantPool()) {
                if (entry instanceof ClassEntry named) {
                    Integer target = vertices.get(element(named.asInternalName()));
                    if (targets.add(target)) mine.add((long) target << 32 | source);
                }
            }
        }
    }
    long[] edges = gather(world, MemorySegment.ofArray(mine.build().toArray())).toArray(ValueLayout.JAVA_LONG);
    Arrays.sort(edges);
    return edges;
}

/// Returns the parts of all PEs, in any order. Each PE reserves the place of its part with a fetch-add on PE 0.
MemorySegment gather(World world, MemorySegment mine) {
    ByteView all = world.allocate(world.team().sum(mine.byteSize())).bytes();
    LongView used = world.allocate(Long.BYTES).longs();
    long mineBegins = used.getAndAdd(0, mine.byteSize(), 0);
    for (int pe = 0; pe < world.size(); pe++) all.put(mineBegins, mine, 0, mine.byteSize(), pe);
    world.team().barrier();
    return all.segment();
}

/// Returns the rank of every class. This PE owns the vertices `[first, end)`; the edges `[from, to)` lead to them.
double[] rank(World world, int vertices, long[] edges, Map<String, Double> options) {
    int me = world.pe(), pes = world.size();
    int first = cut(vertices, edges, me, pes), end = cut(vertices, edges, me + 1, pes);
    int from = firstEdge(edges, first), to = firstEdge(edges, end), mine = end - first;
    int[] out = new int[vertices];
    for (long edge : edges) out[(int) edge]++;
    double[] rank = new double[mine], flow = new double[mine], shares = new double[vertices];
    Arrays.fill(rank, 1.0 / vertices);
    Arrays.setAll(shares, v -> 1.0 / vertices / out[v]); // a class's contribution to each class that it names
    DoubleView published = world.allocate(2L * Double.BYTES * vertices).doubles(); // two halves: one barrier suffices
    LongStream.Builder nanos = LongStream.builder();
    double damping = options.get("--damping"), change = 1;
    int done = 0;
    for (; change > options.get("--tolerance") && done < options.get("--iterations"); done++) {
        long start = System.nanoTime(), changed = 0, half = (long) vertices * (done % 2);
        Arrays.fill(flow, 0);
        follow(edges, from, to, shares, flow, first);
        for (int v = 0; v < mine; v++) {
            double before = rank[v];
            rank[v] = (1 - damping) / vertices + damping * flow[v];
            flow[v] = rank[v] / out[first + v];
            changed += (long) (Math.abs(rank[v] - before) / UNIT);
        }
        for (int pe = 0; pe < world.size(); pe++) published.put(half + first, flow, 0, mine, pe);
        change = world.team().sum(changed) * UNIT;
        world.team().barrier();
        published.get(half, shares, 0, vertices);
        nanos.add(System.nanoTime() - start);
    }
    double total = world.team().sum((long) (DoubleStream.of(rank).sum() / UNIT)) * UNIT;
    if (!(Math.abs(total - 1) < 1e-9)) throw new IllegalStateException("the sum of all ranks is " + total + ", not 1");
    long median = nanos.build().sorted().skip(done / 2).findFirst().orElse(0);
    report(world, "%d iterations of %d us on %d PEs, last change %.1e", done, median / 1000, world.size(), change);
    Arrays.setAll(shares, v -> shares[v] * out[v]);
    return shares;
}

/// Adds up the contributions along the edges `[from, to)`, target after target, so that each sum is in a register.
void follow(long[] edges, int from, int to, double[] shares, double[] flow, int first) {
    for (int e = from; e < to; ) {
        long target = edges[e] >>> 32;
        double sum = 0;
        for (; e < to && edges[e] >>> 32 == target; e++) sum += shares[(int) edges[e]];
        flow[(int) target - first] = sum;
    }
}

/// Returns the first vertex of PE `pe`. The PEs' parts of the edges are equal, up to the edges of one vertex.
int cut(int vertices, long[] edges, int pe, int pes) {
    return pe == 0 ? 0 : pe == pes ? vertices : (int) (edges[(int) ((long) edges.length * pe / pes)] >>> 32);
}

int firstEdge(long[] edges, int target) {
    return -1 - Arrays.binarySearch(edges, ((long) target << 32) - 1); // not found: no edge has this value
}

/// Returns `java/lang/Object` for `/modules/java.base/java/lang/Object.class`.
String name(String file) {
    return file.substring(file.indexOf('/', "/modules/".length()) + 1, file.length() - ".class".length());
}

/// Returns `java/lang/Object` for `[[Ljava/lang/Object;` and for itself, and no class's name for an array of
/// primitives.
String element(String name) {
    return name.startsWith("[") ? name.substring(name.lastIndexOf('[') + 2).replace(";", "") : name;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
