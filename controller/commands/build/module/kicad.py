"""A circuit board as KiCad 6 reads it, and what KiCad makes of it where it is installed.

The files are written here, without KiCad. Its own Python then fills the ground on both sides,
checks `RULES`, and plots what a board house takes.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from hexboard.commands.build.module import plotting, silk
from hexboard.commands.build.module.circuit import nets
from hexboard.commands.build.module.placing import (
    HOLES,
    ModulePlan,
    SetPad,
    SetPart,
    body_box,
)
from hexboard.commands.build.module.routing import (
    CLEAR_MM,
    EDGE_MM,
    UNDER,
    VIA_DRILL_MM,
    VIA_MM,
    Copper,
)
from hexboard.words.errors import BadText

PYTHON = "/usr/bin/python3"
"""Debian's, which has KiCad's `pcbnew`."""
MIDDLE = 100.0
"""Where the slot's middle is on KiCad's sheet, mm from its upper left corner."""
LAYERS = (
    *('(0 "F.Cu" signal)', '(31 "B.Cu" signal)', '(34 "B.Paste" user)', '(35 "F.Paste" user)'),
    *('(36 "B.SilkS" user)', '(37 "F.SilkS" user)', '(38 "B.Mask" user)', '(39 "F.Mask" user)'),
    *('(44 "Edge.Cuts" user)', '(46 "B.CrtYd" user)', '(47 "F.CrtYd" user)', '(49 "F.Fab" user)'),
)
RULES = {
    "min_clearance": CLEAR_MM,
    "min_track_width": 0.2,
    "min_via_diameter": VIA_MM,
    "min_through_hole_diameter": VIA_DRILL_MM,
    "min_via_annular_width": 0.13,
    "min_hole_to_hole": 0.25,
    "min_hole_clearance": 0.25,
    "min_copper_edge_clearance": EDGE_MM - 0.02,
}
"""What two-layer boards of any cheap board house have, or better; mm."""


class KicadReport(Struct, frozen=True):
    """What KiCad found: errors, joins that are missing, warnings; and the files it plotted."""

    errors: int
    unconnected: int
    warnings: int
    report: str
    files: tuple[str, ...]


def project(name: str) -> str:
    """KiCad's file of a project: the rules that it checks."""
    netclass = {
        "name": "Default",
        "clearance": CLEAR_MM,
        "track_width": 0.25,
        "via_diameter": VIA_MM,
        "via_drill": VIA_DRILL_MM,
    }
    found = {
        "board": {"design_settings": {"rules": RULES}},
        "meta": {"filename": f"{name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [netclass], "meta": {"version": 2}},
    }
    return json.dumps(found, indent=1) + "\n"


def board_text(plan: ModulePlan, copper: Copper, title: str) -> str:
    """The circuit board itself."""
    codes = {"": 0} | {name: k for k, name in enumerate(nets([it.part for it in plan.parts]), 1)}
    lines = ["(kicad_pcb (version 20211014) (generator hexboard)"]
    lines += ["(general (thickness 1.6))", '(paper "A4")', f'(title_block (title "{title}"))']
    lines += ["(layers", *LAYERS, ")", "(setup (pad_to_mask_clearance 0))"]
    lines += [f'(net {code} "{name}")' for name, code in codes.items()]
    for it in plan.parts:
        lines += _footprint(it, [*plan.pads(it)], codes)
    lines += _outline(plan)
    for line in copper.lines:
        layer = "B.Cu" if line.layer == UNDER else "F.Cu"
        ends = f"(start {_at(*line.start)}) (end {_at(*line.end)})"
        lines.append(
            f'(segment {ends} (width {line.wide:g}) (layer "{layer}") (net {codes[line.net]}))'
        )
    for via in copper.vias:
        size = f"(size {VIA_MM:g}) (drill {VIA_DRILL_MM:g})"
        lines.append(
            f'(via (at {_at(via.x, via.y)}) {size} (layers "F.Cu" "B.Cu") (net {codes[via.net]}))'
        )
    lines += [_ground(plan, layer, codes["GND"]) for layer in plan.filled]
    lines += _printed(plan)
    return "\n".join([*lines, ")", ""])


def _at(x: float, y: float) -> str:
    return f"{MIDDLE + x:.4f} {MIDDLE - y:.4f}"


def _footprint(it: SetPart, pads: list[SetPad], codes: dict[str, int]) -> Iterator[str]:
    side = "B" if it.below else "F"
    angle = it.turned % 360
    attr = "through_hole" if any(pad.land.drill for pad in pads) else "smd"
    if not it.part.fitted:
        attr += " exclude_from_pos_files exclude_from_bom"
    yield f'(footprint "hexboard:{it.part.body}" (layer "{side}.Cu")'
    yield f"(at {_at(it.x, it.y)} {angle:g}) (attr {attr})"
    font = "(effects (font (size 0.8 0.8) (thickness 0.12))"
    yield f'(fp_text reference "{it.part.ref}" (at 0 0 {angle:g}) (layer "F.Fab") {font}))'
    yield f'(fp_text value "{it.part.value}" (at 0 0 {angle:g}) (layer "F.Fab") hide {font}))'
    yield from _courtyard(it, side)
    for pad in pads:
        land = pad.land
        shape = "circle" if land.round else "rect"
        what = f'"{pad.name}" {"thru_hole" if land.drill else "smd"} {shape}'
        paste = '"F.Paste" ' if it.part.fitted else ""
        layers = "*.Cu *.Mask" if land.drill else f'"F.Cu" {paste}"F.Mask"'
        drill = f"(drill {land.drill:g}) " if land.drill else ""
        net = f'(net {codes[pad.net]} "{pad.net}")' if pad.net else ""
        place = f"(at {land.x:g} {-land.y:g} {angle:g}) (size {land.wide:g} {land.high:g})"
        yield f"(pad {what} {place} {drill}(layers {layers}) {net})"
    for x, y, wide in HOLES.get(it.part.body, ()):
        size = f"(size {wide:g} {wide:g}) (drill {wide:g}) (layers *.Cu *.Mask)"
        yield f'(pad "" np_thru_hole circle (at {x:g} {-y:g} {angle:g}) {size})'
    yield ")"


def _courtyard(it: SetPart, side: str) -> Iterator[str]:
    """What no other part may cover, so that KiCad finds two in one place."""
    if it.part.fitted:
        left, low, right, high = body_box(it.part.body)
        ends = f"(start {left:g} {-high:g}) (end {right:g} {-low:g})"
        yield f'(fp_rect {ends} (layer "{side}.CrtYd") (width 0.05) (fill none))'


def _printed(plan: ModulePlan) -> Iterator[str]:
    """Names, marks, and the outlines of plugs."""
    for line in silk.outlines(plan):
        ends = f"(start {_at(*line.start)}) (end {_at(*line.end)})"
        yield f'(gr_line {ends} (layer "B.SilkS") (width {silk.LINE_MM:g}))'
    size = f"(size {silk.HIGH_MM:g} {silk.HIGH_MM:g}) (thickness {silk.LINE_MM:g})"
    for it in silk.silk(plan):
        layer, at = f'(layer "{"B" if it.below else "F"}.SilkS")', _at(it.x, it.y)
        if it.text:
            turned = " (justify mirror)" if it.below else ""
            yield f'(gr_text "{it.text}" (at {at}) {layer} (effects (font {size}){turned}))'
        else:
            end, wide = _at(it.x + silk.DOT_MM / 2, it.y), f"(width {silk.DOT_MM:g})"
            yield f"(gr_circle (center {at}) (end {end}) {layer} {wide} (fill solid))"


def _outline(plan: ModulePlan) -> Iterator[str]:
    corners = plan.outline
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        yield f'(gr_line (start {_at(*a)}) (end {_at(*b)}) (layer "Edge.Cuts") (width 0.1))'
    ends = f"(center {_at(0, 0)}) (end {_at(plan.hole, 0)})"
    if plan.hole:
        yield f'(gr_circle {ends} (layer "Edge.Cuts") (width 0.1) (fill none))'


def _ground(plan: ModulePlan, layer: str, code: int) -> str:
    """Ground wherever nothing else is: KiCad fills it."""
    points = " ".join(f"(xy {_at(*corner)})" for corner in plan.outline)
    fill = "(fill yes (thermal_gap 0.3) (thermal_bridge_width 0.4))"
    return (
        f'(zone (net {code}) (net_name "GND") (layer "{layer}") (hatch edge 0.5)'
        f" (connect_pads (clearance {CLEAR_MM:g})) (min_thickness 0.25) {fill}"
        f" (polygon (pts {points})))"
    )


def has_kicad() -> bool:
    """Whether KiCad's Python is here."""
    try:
        done = subprocess.run([PYTHON, "-c", "import pcbnew"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def plotted(path: Path) -> KicadReport:
    """Let KiCad fill, check and plot a circuit board, into `plots` beside it.

    Raises `BadText` if it fails."""
    script = Path(plotting.__file__)
    words = [PYTHON, str(script), str(path)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        files = json.loads(done.stdout.splitlines()[-1])["files"]
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        raise BadText("module.kicad", why=f"{type(error).__name__}: {error}"[:200]) from error
    gerbers = {f"{path.stem}-{name.replace('.', '_')}.gbr" for name in plotting.GERBERS}
    if lacks := sorted(gerbers - {*files}):
        raise BadText("module.kicad", why=", ".join(lacks))
    report = path.with_suffix(".drc.txt").read_text("utf-8")
    return KicadReport(
        errors=report.count("Severity: error"),
        unconnected=report.count("[unconnected_items]"),
        warnings=report.count("Severity: warning"),
        report=report,
        files=tuple(files),
    )
