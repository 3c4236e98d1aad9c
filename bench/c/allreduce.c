// SPDX-License-Identifier: Apache-2.0
// Time of MPI_Allreduce of floats, median of 9 rounds: allreduce [ELEMENTS]...
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, WARM = 3 };

static int compare(const void *a, const void *b) {
    double x = *(const double *) a, y = *(const double *) b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < argc; i++) {
        int count = atoi(argv[i]), repetitions = (1 << 24) / count < 20 ? 20 : (1 << 24) / count;
        float *source = calloc(count, sizeof(float)), *target = calloc(count, sizeof(float));
        double micros[ROUNDS];
        for (int round = -WARM; round < ROUNDS; round++) {
            MPI_Barrier(MPI_COMM_WORLD);
            double start = MPI_Wtime();
            for (int n = 0; n < repetitions; n++)
                MPI_Allreduce(source, target, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            if (round >= 0)
                micros[round] = (MPI_Wtime() - start) * 1e6 / repetitions;
        }
        qsort(micros, ROUNDS, sizeof(double), compare);
        if (rank == 0)
            printf("%8d elements  MPI_FLOAT %8.1f us\n", count, micros[ROUNDS / 2]);
        free(source);
        free(target);
    }
    MPI_Finalize();
    return 0;
}
