// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Fourier transforms of several sequences at once, not scaled.
///
/// Element k of all sequences is row k: each step of a transform does the same to whole rows, and the JIT compiler
/// makes vector instructions of that. The method is Stockham's: each pass reads one set of rows and writes the other,
/// and the last leaves the results in order. A pass divides by 4, and the last by 2 if the length is no power of 4.
final class Fourier {
    private final int length;
    private final double[] cosines, sines; // of k parts of the circle
    private double[][] re, im; // by row: a part of each element
    private double[][] nextRe, nextIm;

    /// @param length of the sequences, a power of 2
    /// @param width sequences at once
    Fourier(int length, int width) {
        this.length = length;
        cosines = new double[length];
        sines = new double[length];
        Arrays.setAll(cosines, k -> Math.cos(2 * Math.PI * k / length));
        Arrays.setAll(sines, k -> Math.sin(2 * Math.PI * k / length));
        re = new double[length][width];
        im = new double[length][width];
        nextRe = new double[length][width];
        nextIm = new double[length][width];
    }

    /// The real parts of element `k`.
    double[] re(int k) {
        return re[k];
    }

    /// The imaginary parts of element `k`.
    double[] im(int k) {
        return im[k];
    }

    /// Copies real and imaginary parts of row `k` from a segment.
    void load(int k, MemorySegment source, long reIndex, long imIndex) {
        MemorySegment.copy(source, JAVA_DOUBLE, reIndex * Double.BYTES, re[k], 0, re[k].length);
        MemorySegment.copy(source, JAVA_DOUBLE, imIndex * Double.BYTES, im[k], 0, im[k].length);
    }

    /// Copies real and imaginary parts of row `k` to a segment.
    void store(int k, MemorySegment target, long reIndex, long imIndex) {
        MemorySegment.copy(re[k], 0, target, JAVA_DOUBLE, reIndex * Double.BYTES, re[k].length);
        MemorySegment.copy(im[k], 0, target, JAVA_DOUBLE, imIndex * Double.BYTES, im[k].length);
    }

    /// Replaces the rows by their transforms.
    ///
    /// @param sign of the exponent, 1 or -1: the two are inverse but for a factor, the length
    void transform(int sign) {
        int left = length, done = 1; // their product is the length
        for (; left >= 4; left /= 4, done *= 4) {
            int quarter = left / 4 * done;
            for (int p = 0; p < left / 4; p++) {
                for (int q = 0; q < done; q++) four(q + done * p, quarter, q + done * 4 * p, done, p * done, sign);
            }
            swap();
        }
        if (left == 1) return;
        for (int q = 0; q < done; q++) {
            two(re[q], re[q + done], nextRe[q], nextRe[q + done]);
            two(im[q], im[q + done], nextIm[q], nextIm[q + done]);
        }
        swap();
    }

    private void swap() {
        double[][] oldRe = re, oldIm = im;
        re = nextRe;
        im = nextIm;
        nextRe = oldRe;
        nextIm = oldIm;
    }

    private static void two(double[] a, double[] b, double[] sum, double[] difference) {
        for (int i = 0; i < a.length; i++) {
            double first = a[i], second = b[i];
            sum[i] = first + second;
            difference[i] = first - second;
        }
    }

    /// Transforms four rows `step` apart into four `stride` apart, and turns these by multiples of an angle.
    private void four(int from, int step, int to, int stride, int angle, int sign) {
        double[] aRe = re[from], aIm = im[from], cRe = re[from + 2 * step], cIm = im[from + 2 * step];
        double[] bRe = re[from + step], bIm = im[from + step];
        double[] dRe = re[from + 3 * step], dIm = im[from + 3 * step];
        even(aRe, bRe, cRe, dRe, aIm, bIm, cIm, dIm, to, stride, 2 * angle, sign);
        odd(aRe, bRe, cRe, dRe, aIm, bIm, cIm, dIm, to, stride, angle, sign);
    }

    private void even(
            double[] aRe, double[] bRe, double[] cRe, double[] dRe,
            double[] aIm, double[] bIm, double[] cIm, double[] dIm,
            int to, int stride, int angle, int sign) {
        double[] re0 = nextRe[to], im0 = nextIm[to], re2 = nextRe[to + 2 * stride], im2 = nextIm[to + 2 * stride];
        double cos = cosines[angle], sin = sign * sines[angle];
        for (int i = 0; i < re0.length; i++) {
            double acRe = aRe[i] + cRe[i], acIm = aIm[i] + cIm[i];
            double bdRe = bRe[i] + dRe[i], bdIm = bIm[i] + dIm[i];
            re0[i] = acRe + bdRe;
            im0[i] = acIm + bdIm;
            double re = acRe - bdRe, im = acIm - bdIm;
            re2[i] = cos * re - sin * im;
            im2[i] = cos * im + sin * re;
        }
    }

    private void odd(
            double[] aRe, double[] bRe, double[] cRe, double[] dRe,
            double[] aIm, double[] bIm, double[] cIm, double[] dIm,
            int to, int stride, int angle, int sign) {
        double[] re1 = nextRe[to + stride], im1 = nextIm[to + stride];
        double[] re3 = nextRe[to + 3 * stride], im3 = nextIm[to + 3 * stride];
        double cos1 = cosines[angle], sin1 = sign * sines[angle];
        double cos3 = cosines[3 * angle], sin3 = sign * sines[3 * angle], quarterTurn = sign;
        for (int i = 0; i < re1.length; i++) {
            double acRe = aRe[i] - cRe[i], acIm = aIm[i] - cIm[i];
            double bdRe = quarterTurn * (dIm[i] - bIm[i]), bdIm = quarterTurn * (bRe[i] - dRe[i]);
            double firstRe = acRe + bdRe, firstIm = acIm + bdIm;
            re1[i] = cos1 * firstRe - sin1 * firstIm;
            im1[i] = cos1 * firstIm + sin1 * firstRe;
            double thirdRe = acRe - bdRe, thirdIm = acIm - bdIm;
            re3[i] = cos3 * thirdRe - sin3 * thirdIm;
            im3[i] = cos3 * thirdIm + sin3 * thirdRe;
        }
    }
}
