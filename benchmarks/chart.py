# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bar chart of the benchmarks' ratios, as the text of an SVG file."""

import html
import math

LEFT, RIGHT, TOP, BOTTOM = 250, 70, 78, 34
ROW, BAR = 34, 12
PLOT = 560
SERIES = [("generated_over_primal", "generated", "#2f6db3"),
          ("hand_over_primal", "written by hand", "#c9ced6")]
# Other tools are dots on a line under the bars.
DOTS = [("adolc_over_primal", "ADOL-C", "#d9822b"),
        ("sacado_over_primal", "Sacado", "#7a4fa3"),
        ("eigen_over_primal", "Eigen", "#2e8b57")]


def text(x, y, content, **attributes):
    extra = "".join(f' {name.replace("_", "-")}="{value}"'
                    for name, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{html.escape(content)}</text>'


def ticks(low, high):
    """Round numbers of a logarithmic axis: 1, 2 and 5 times powers of ten."""
    found = []
    for exponent in range(math.floor(math.log10(low)),
                          math.ceil(math.log10(high)) + 1):
        found += [m * 10.0**exponent for m in (1, 2, 5)]
    return [t for t in found if low <= t <= high]


def axis_of(rows):
    """Bounds of the axis: round numbers around all bars, and around 1."""
    ratios = [row[key] for row in rows for key, _, _ in SERIES + DOTS
              if key in row]
    low, high = min([0.5, *ratios]), max([5.0, *ratios])
    steps = ticks(low / 10, high * 10)
    return (max(t for t in steps if t <= low),
            min(t for t in steps if t >= high * 1.02))


def draw_row(row, y, place):
    lines = [text(LEFT - 12, y + 13, row["name"], text_anchor="end",
                  font_weight="600"),
             text(LEFT - 12, y + 25, row["shape"], text_anchor="end",
                  font_size="9.5", fill="#69707a")]
    for i, (key, _, color) in enumerate(SERIES):
        if key not in row:
            continue
        start, end = sorted((place(1.0), place(row[key])))
        top = y + 3 + i * BAR
        lines.append(f'<rect x="{start:.1f}" y="{top:.1f}" '
                     f'width="{max(end - start, 1):.1f}" '
                     f'height="{BAR - 1}" fill="{color}"/>')
        lines.append(text(end + 4, top + 9, f"{row[key]:.2f}", font_size="10",
                          fill="#3b4148"))
    for key, label, color in DOTS:
        if key in row:
            lines.append(f'<circle cx="{place(row[key]):.1f}" '
                         f'cy="{y + ROW - 5:.1f}" r="3.5" fill="{color}">'
                         f"<title>{label} {row[key]:.1f}</title></circle>")
    return lines


def svg(rows, caption):
    """`rows` are the records of --json; `caption` says how they were made."""
    rows = sorted(rows, key=lambda row: row.get("generated_over_primal", 0.0))
    low, high = axis_of(rows)
    width = LEFT + PLOT + RIGHT
    height = TOP + ROW * len(rows) + BOTTOM

    def place(ratio):
        return LEFT + PLOT * math.log(ratio / low) / math.log(high / low)

    title = "Time of a derivative, in times of the objective"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
        f'{height}" width="{width}" height="{height}" role="img" '
        'font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12" '
        'fill="#1d2227">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        text(16, 26, title, font_size="16", font_weight="600"),
        text(16, 44, caption, font_size="11", fill="#69707a"),
    ]
    at = LEFT
    for _, label, color in SERIES:
        lines.append(f'<rect x="{at}" y="54" width="11" height="11" '
                     f'fill="{color}"/>')
        lines.append(text(at + 16, 63.5, label, font_size="11"))
        at += 34 + 6.2 * len(label)
    for _, label, color in DOTS:
        lines.append(f'<circle cx="{at + 5}" cy="59.5" r="3.5" '
                     f'fill="{color}"/>')
        lines.append(text(at + 14, 63.5, label, font_size="11"))
        at += 30 + 6.2 * len(label)
    bottom = TOP + ROW * len(rows)
    for tick in ticks(low, high):
        x = place(tick)
        color = "#7b828b" if tick == 1 else "#e4e7eb"
        lines.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" '
                     f'y2="{bottom}" stroke="{color}"/>')
        lines.append(text(x, bottom + 16, f"{tick:g}", text_anchor="middle",
                          font_size="10.5", fill="#69707a"))
    for i, row in enumerate(rows):
        lines += draw_row(row, TOP + ROW * i, place)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
