// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// A picture of curves over two logarithmic axes, in SVG: text that a browser draws, and that two runs can be
/// compared by.
final class Chart {
    static final int WIDTH = 720;
    static final int HEIGHT = 440;
    private static final int LEFT = 80;
    private static final int RIGHT = 40;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;

    /// The width of a character of a label, at most.
    private static final double CHARACTER = 9;

    private static final String UNITS = "kmgt";

    /// Bases of the axes: sizes of jobs double, times have powers of ten.
    private static final double ACROSS = 2;

    private static final double UP = 10;

    /// Okabe and Ito's, which differ for readers with any color vision.
    private static final List<String> COLORS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442");

    private final String title;
    private final String across;
    private final String up;
    private final DoubleFunction<String> label;
    private final List<Curve> curves = new ArrayList<>();

    private record Curve(String name, SortedMap<Double, Double> points) {}

    /// Whole powers of a base that values lie between, and where these are in the picture.
    private record Axis(double base, int least, int most, int from, int to) {
        static Axis of(double base, List<Double> values, int from, int to) {
            double smallest = values.stream().mapToDouble(value -> value).min().orElse(1);
            double largest = values.stream().mapToDouble(value -> value).max().orElse(1);
            int least = (int) Math.floor(log(base, smallest));
            return new Axis(base, least, Math.max(least + 1, (int) Math.ceil(log(base, largest))), from, to);
        }

        /// Rounded, so that a power of the base is its own whole number.
        private static double log(double base, double value) {
            return Math.round(Math.log(value) / Math.log(base) * 1e9) / 1e9;
        }

        double place(double value) {
            return from + (to - from) * (log(base, value) - least) / (most - least);
        }

        double value(int power) {
            return Math.pow(base, power);
        }
    }

    /// @param across what the horizontal axis has
    /// @param up what the vertical one has
    /// @param label text for a value of the horizontal axis
    private Chart(String title, String across, String up, DoubleFunction<String> label) {
        this.title = title;
        this.across = across;
        this.up = up;
        this.label = label;
    }

    /// A chart of values by a count.
    ///
    /// @param across what is counted
    /// @param up what the vertical axis has
    static Chart byCount(String title, String across, String up) {
        return new Chart(title, across, up, Chart::number);
    }

    /// A chart of values by bytes.
    ///
    /// @param up what the vertical axis has
    static Chart byBytes(String title, String up) {
        return new Chart(title, "bytes", up, Chart::size);
    }

    /// Adds a curve.
    ///
    /// @param points positive values by positive values
    void curve(String name, Map<Double, Double> points) {
        curves.add(new Curve(name, new TreeMap<>(points)));
    }

    String svg() {
        Axis x = Axis.of(ACROSS, all(Map.Entry::getKey), LEFT, WIDTH - RIGHT);
        Axis y = Axis.of(UP, all(Map.Entry::getValue), HEIGHT - BOTTOM, TOP);
        Formatter svg = new Formatter(Locale.ROOT);
        svg.format(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                        + " font-size='13'>\n",
                WIDTH, HEIGHT);
        svg.format("<rect width='%d' height='%d' fill='white'/>\n", WIDTH, HEIGHT);
        svg.format("<text x='%d' y='28' font-size='16'>%s</text>\n", LEFT, escaped(title));
        int step = labelStep(x);
        for (int power = x.least; power <= x.most; power++) {
            double at = x.place(x.value(power));
            svg.format("<path d='M%.1f %dV%d' stroke='#ddd'/>\n", at, TOP, HEIGHT - BOTTOM);
            if ((power - x.least) % step == 0) {
                text(svg, at, HEIGHT - BOTTOM + 20, "middle", label.apply(x.value(power)));
            }
        }
        for (int power = y.least; power <= y.most; power++) {
            double at = y.place(y.value(power));
            svg.format("<path d='M%d %.1fH%d' stroke='#ddd'/>\n", LEFT, at, WIDTH - RIGHT);
            text(svg, LEFT - 8, at + 4, "end", number(y.value(power)));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", across);
        svg.format(
                "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
                (TOP + HEIGHT - BOTTOM) / 2, escaped(up));
        for (int i = 0; i < curves.size(); i++) {
            draw(svg, i, x, y);
        }
        return svg.format("</svg>\n").toString();
    }

    /// Returns the distance, in powers of the base, at which labels leave each other room.
    private int labelStep(Axis x) {
        int longest = 0;
        for (int power = x.least; power <= x.most; power++) {
            longest = Math.max(longest, label.apply(x.value(power)).length());
        }
        double apart = Math.abs(x.place(x.base) - x.place(1));
        return (int) Math.max(1, Math.ceil((longest + 1) * CHARACTER / apart));
    }

    private List<Double> all(ToDoubleFunction<Map.Entry<Double, Double>> coordinate) {
        return curves.stream()
                .flatMap(curve -> curve.points.entrySet().stream())
                .map(coordinate::applyAsDouble)
                .toList();
    }

    private void draw(Formatter svg, int number, Axis x, Axis y) {
        Curve curve = curves.get(number);
        String color = COLORS.get(number % COLORS.size());
        String points = curve.points.entrySet().stream()
                .map(point ->
                        String.format(Locale.ROOT, "%.1f,%.1f", x.place(point.getKey()), y.place(point.getValue())))
                .collect(Collectors.joining(" "));
        svg.format("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>\n", points, color);
        curve.points.forEach((key, value) ->
                svg.format("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n", x.place(key), y.place(value), color));
        int height = TOP + 20 + number * 20;
        svg.format("<path d='M%d %dh24' stroke='%s' stroke-width='2'/>\n", LEFT + 14, height, color);
        text(svg, LEFT + 46, height + 4, "start", curve.name);
    }

    private static void text(Formatter svg, double x, double y, String anchor, String text) {
        svg.format("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n", x, y, anchor, escaped(text));
    }

    private static String number(double value) {
        return value < 1 ? Double.toString(value) : String.format(Locale.ROOT, "%,.0f", value);
    }

    /// Returns a size as options have it, such as "64k".
    private static String size(double bytes) {
        long rest = (long) bytes;
        int unit = 0;
        while (rest >= 1024 && rest % 1024 == 0 && unit < UNITS.length()) {
            rest /= 1024;
            unit++;
        }
        return unit == 0 ? number(bytes) : rest + UNITS.substring(unit - 1, unit);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
