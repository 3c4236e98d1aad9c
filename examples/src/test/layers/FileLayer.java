// SPDX-License-Identifier: Apache-2.0

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTask;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A transport layer over files, as a toy and a test: each member writes what it has to a file, and reads the files of
/// the others. The files of a team are in a folder of their own, and stay until the team ends.
public final class FileLayer implements TransportLayer {
    private static final String ALL = "all";
    private static final List<CollectiveType> SERVED = List.of(
            CollectiveType.BARRIER,
            CollectiveType.BROADCAST,
            CollectiveType.ALL_REDUCE,
            CollectiveType.REDUCE,
            CollectiveType.ALL_GATHER);

    @Override
    public String name() {
        return "file";
    }

    @Override
    public int defaultScore() {
        return 2;
    }

    @Override
    public List<Field> fields() {
        return List.of(new Field("FOLDER", "", "folder that all PEs see"));
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        String folder = configuration.text("FOLDER");
        if (configuration.world().isPresent() && folder.isEmpty()) {
            throw configuration.invalidValue("FOLDER", "a folder");
        }
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(
                                SERVED.stream().collect(Collectors.toMap(type -> type, _ -> List.of(ALL))),
                                ThreadLevel.MULTIPLE,
                                1,
                                100)
                        .withDescription(ALL, "each member writes a file, and reads those of the others");
            }

            @Override
            public LayerContext open() {
                return team -> new FileTeam(team, Path.of(folder));
            }
        };
    }

    private static final class FileTeam implements LayerTeam {
        private final TeamParameters team;
        private final Path folder;
        private final List<Path> mine = new ArrayList<>();

        FileTeam(TeamParameters team, Path root) {
            this.team = team;
            this.folder = root.resolve(team.id().replaceAll("[^A-Za-z0-9.]", "_"));
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean test() {
            return true;
        }

        @Override
        public List<Offer> offers() {
            return SERVED.stream().map(type -> Offer.always(type, ALL, 2)).toList();
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            return Optional.of(new FileTask(this, arguments));
        }

        Path file(long number, int member) {
            return folder.resolve(number + "-" + member);
        }

        void write(long number, byte[] bytes) {
            Path file = file(number, team.me());
            Path begun = folder.resolve(file.getFileName() + ".begun");
            try {
                Files.write(begun, bytes);
                Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            mine.add(file);
        }

        @Override
        public void close() {
            for (Path file : mine) {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static final class FileTask implements LayerTask {
        private final FileTeam files;
        private final Arguments arguments;
        private long number;

        FileTask(FileTeam files, Arguments arguments) {
            this.files = files;
            this.arguments = arguments;
        }

        @Override
        public void post(long run) {
            number = run;
            files.write(
                    run,
                    arguments.sources() == 0 ? new byte[0] : arguments.source(0).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public boolean progress() {
            boolean isAlone = switch (arguments.type()) {
                case BROADCAST -> files.team.me() == arguments.root();
                case REDUCE -> files.team.me() != arguments.root();
                default -> false;
            };
            if (isAlone) {
                if (arguments.targets() > 0 && !arguments.isInPlace()) {
                    arguments.target(0).copyFrom(arguments.source(0));
                }
                return true;
            }
            List<MemorySegment> parts = new ArrayList<>();
            for (int member = 0; member < files.team.size(); member++) {
                boolean isNeeded = arguments.type() != CollectiveType.BROADCAST || member == arguments.root();
                Path file = files.file(number, member);
                if (isNeeded && !Files.exists(file)) {
                    return false;
                }
                if (isNeeded) {
                    parts.add(read(file));
                }
            }
            finish(parts);
            return true;
        }

        private static MemorySegment read(Path file) {
            try {
                return MemorySegment.ofArray(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void finish(List<MemorySegment> parts) {
            switch (arguments.type()) {
                case BROADCAST -> arguments.target(0).copyFrom(parts.getFirst());
                case ALL_GATHER -> {
                    for (int member = 0; member < parts.size(); member++) {
                        arguments.target(member).copyFrom(parts.get(member));
                    }
                }
                case ALL_REDUCE, REDUCE -> {
                    MemorySegment result = parts.getFirst();
                    for (MemorySegment part : parts.subList(1, parts.size())) {
                        arguments.fold(result, result, part);
                    }
                    arguments.target(0).copyFrom(result);
                }
                default -> {}
            }
        }
    }
}
