// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The common rows of two sections of one shape:
///
/// ```
///  dimensions of one element   add to the first index
///  dimensions end to end       in both sections: one dimension
///  the first that is left      a row, if it has no vector; otherwise each of its elements is a row
///  the others                  count up
/// ```
final class SectionRows {
    private final Section[] sections;
    private final long[] first = new long[2];
    private final int[][] dims = new int[2][];
    private final long[] counts;
    private int used;

    SectionRows(Section section, Section other) {
        this.sections = new Section[] {section, other};
        int most = Math.max(section.rank(), other.rank());
        this.counts = new long[most];
        for (int side = 0; side < 2; side++) {
            dims[side] = new int[most];
        }
        boolean isEmpty = section.size() == 0;
        if (isEmpty) {
            used = -1;
            return;
        }
        for (int side = 0; side < 2; side++) {
            Section each = sections[side];
            first[side] = each.offset();
            used = 0;
            for (int i = 0; i < each.rank(); i++) {
                if (each.count(i) == 1) {
                    first[side] += each.place(i, 0);
                } else {
                    counts[used] = each.count(i);
                    dims[side][used++] = i;
                }
            }
        }
        merge();
    }

    private void merge() {
        int merged = 0;
        for (int k = 1; k < used; k++) {
            if (isEndToEnd(0, merged, k) && isEndToEnd(1, merged, k)) {
                counts[merged] *= counts[k];
            } else {
                merged++;
                counts[merged] = counts[k];
                dims[0][merged] = dims[0][k];
                dims[1][merged] = dims[1][k];
            }
        }
        used = used == 0 ? 0 : merged + 1;
    }

    private boolean isEndToEnd(int side, int row, int next) {
        Section section = sections[side];
        int i = dims[side][row];
        int k = dims[side][next];
        return !section.isVector(i) && !section.isVector(k) && section.stride(k) == section.stride(i) * counts[row];
    }

    void forEach(Section.Row row) {
        if (used < 0) {
            return;
        }
        if (used == 0) {
            row.copy(first[0], 1, first[1], 1, 1);
            return;
        }
        boolean isRegular = !sections[0].isVector(dims[0][0]) && !sections[1].isVector(dims[1][0]);
        long[] at = new long[used];
        while (true) {
            long index = place(0, at);
            long offset = place(1, at);
            if (isRegular) {
                row.copy(
                        index, sections[0].stride(dims[0][0]), offset, sections[1].stride(dims[1][0]), counts[0]);
            } else {
                for (long i = 0; i < counts[0]; i++) {
                    row.copy(
                            index + sections[0].place(dims[0][0], i),
                            1,
                            offset + sections[1].place(dims[1][0], i),
                            1,
                            1);
                }
            }
            int k = 1;
            while (k < used && ++at[k] == counts[k]) {
                at[k++] = 0;
            }
            if (k >= used) {
                return;
            }
        }
    }

    /// Returns the place of a row.
    private long place(int side, long[] at) {
        long place = first[side];
        for (int k = 1; k < used; k++) {
            place += sections[side].place(dims[side][k], at[k]);
        }
        return place;
    }
}
