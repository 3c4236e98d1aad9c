/// The command line.
module coterie.cli {
    requires coterie;
    requires info.picocli;
    requires static org.jspecify;
}
