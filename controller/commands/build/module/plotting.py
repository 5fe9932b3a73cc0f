"""Run by KiCad's own Python (Debian's, 3.9 or newer), never by ours: fill, check, plot, drill.

    /usr/bin/python3 plotting.py FILE.kicad_pcb

It says which files it wrote, as JSON on its last line.
"""

import csv
import json
import sys
from pathlib import Path

GERBERS = ("F.Cu", "B.Cu", "F.Paste", "F.Mask", "B.Mask", "F.SilkS", "B.SilkS", "Edge.Cuts")


def main(path: Path) -> None:
    import pcbnew  # type: ignore[import-not-found]

    board = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)
    pcbnew.WriteDRCReport(
        board, str(path.with_suffix(".drc.txt")), pcbnew.EDA_UNITS_MILLIMETRES, True
    )
    folder = (path.parent / "plots").resolve()  # KiCad takes another for one below the file's own
    folder.mkdir(exist_ok=True)
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetPlotFrameRef(False)
    options.SetUseGerberX2format(True)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetDrillMarksType(0)  # none: else KiCad draws a dot at every hole
    for name in GERBERS:
        control.SetLayer(board.GetLayerID(name))
        control.OpenPlotfile(name.replace(".", "_"), pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    drill.SetMapFileFormat(pcbnew.PLOT_FORMAT_GERBER)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)
    with (folder / f"{path.stem}-positions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("Ref", "Val", "Package", "PosX", "PosY", "Rot", "Side"))
        for it in sorted(board.GetFootprints(), key=lambda it: it.GetReference()):
            if it.GetAttributes() & pcbnew.FP_EXCLUDE_FROM_POS_FILES:
                continue
            at, side = it.GetPosition(), "bottom" if it.IsFlipped() else "top"
            place = (at.x / 1e6, -at.y / 1e6, it.GetOrientation() / 10)
            body = it.GetFPID().GetLibItemName().wx_str()
            writer.writerow((it.GetReference(), it.GetValue(), body, *place, side))
    print(json.dumps({"files": sorted(file.name for file in folder.iterdir())}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
