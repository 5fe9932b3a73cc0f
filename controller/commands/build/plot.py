"""A board's budget as a picture: what each scene wants of a rail, and what the limit lets it."""

from html import escape

from hexboard.commands.build.power import Budget, RailBudget, meant

STYLE = """
text { font: 12px sans-serif; fill: #222 }
.wanted { fill: #d9dde5 }
.given { fill: #5b8def }
.limit { stroke: #d1495b; stroke-width: 2 }
"""
ROW, LEFT, WIDE = 18, 560, 520
"""A row's height, where bars begin, how long the longest is."""


def plot(found: Budget) -> str:
    """Bars in mA, a rail below the other, as SVG."""
    parts, top = [], 10
    for rail in found.rails:
        parts.append(_rail(rail, top))
        top += ROW * (len(rail.scenes) + 3)
    wide = LEFT + WIDE + 80
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{top}" '
        f'viewBox="0 0 {wide} {top}">\n<title>{escape(found.board)}</title>\n'
        f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _rail(rail: RailBudget, top: int) -> str:
    most = max([rail.limit_ma, *(it.wanted_ma for it in rail.scenes), 1])
    rows = [f'<text x="4" y="{top + 12}">{escape(rail.rail)}: {rail.limit_ma} mA</text>']
    for k, it in enumerate(rail.scenes, 1):
        y = top + ROW * k
        bars = {"wanted": it.wanted_ma, "given": it.given_ma}
        rows.append(f'<text x="4" y="{y + 12}">{escape(meant(it.scene))}</text>')
        for kind, value in bars.items():
            size = f'width="{WIDE * value / most:.1f}" height="{ROW - 4}"'
            rows.append(f'<rect class="{kind}" x="{LEFT}" y="{y}" {size}/>')
        end = LEFT + WIDE * it.wanted_ma / most + 4
        rows.append(f'<text x="{end:.1f}" y="{y + 12}">{it.wanted_ma}</text>')
    x, low = LEFT + WIDE * rail.limit_ma / most, top + ROW * (len(rail.scenes) + 1)
    rows.append(f'<line class="limit" x1="{x:.1f}" x2="{x:.1f}" y1="{top + ROW}" y2="{low}"/>')
    return "\n".join(rows)
