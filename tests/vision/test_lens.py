"""The lens: rendered views of a known camera, and OpenCV's own photos."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from hexboard.calibration import lens_file
from hexboard.commands.calibrate.lens import surveyed as surveyed_live
from hexboard.commands.cli import main
from hexboard.vision.frame import Frame
from hexboard.vision.geometry import Camera
from hexboard.vision.marks.sheet import charuco, charuco_box
from hexboard.vision.pose.lens import BadLens, Lens, Sheet, Survey, View, fitted
from hexboard.words.errors import BadFile
from tests.cli import invoke
from tests.vision.photo import Picture, ink, looking, photo

PHOTOS = Path(__file__).parent / "photos"
SIZE = (640, 480)
TRUE = Camera(
    SIZE,
    np.array([[520.0, 0, 325], [0, 521, 238], [0, 0, 1]]),
    np.array([-0.05, 0.01, 0.0005, -0.0003, 0]),
)


@pytest.fixture(scope="module")
def views() -> list[Picture]:
    """Twelve views of which the reader makes out every corner, but not to a fraction of a pixel."""
    return rendered(over=1)


@pytest.fixture(scope="module")
def smooth() -> list[Picture]:
    """The same as a lens sees them."""
    return rendered(over=2)


def rendered(over: int) -> list[Picture]:
    """Twelve views, tilted to all sides, near and far, into every corner."""
    box = charuco_box()
    sheet = ink(charuco(), box, 4.0)
    cx, cy = box.width / 2, box.height / 2
    spots = [
        *(
            (0, 0, 300, 5, 0),
            (60, 40, 240, 28, 20),
            (-60, 40, 240, 30, 110),
            (60, -40, 240, 27, 200),
        ),
        *((-60, -40, 240, 31, 290), (0, 0, 220, 20, 45), (90, 60, 300, 25, 150)),
        *((-90, 60, 300, 22, 70), (90, -60, 300, 33, 250), (-90, -60, 300, 24, 330)),
        *((0, 50, 260, 35, 180), (0, -50, 260, 18, 10)),
    ]
    return [
        photo(sheet, box, TRUE, looking((cx + x, cy + y), away, tilt, turn), seed, over=over)
        for seed, (x, y, away, tilt, turn) in enumerate(spots)
    ]


def surveyed(views: list[Picture], sheet: Sheet | None = None) -> Survey:
    survey = Survey((views[0].shape[1], views[0].shape[0]), sheet=sheet)
    for view in views:
        survey.add(view)
    return survey


@pytest.mark.long
def test_a_known_camera_is_found_again(smooth: list[Picture]) -> None:
    lens = surveyed(smooth).lens()
    assert lens.rms < 0.15
    assert lens.camera.matrix[0, 0] == pytest.approx(520, rel=0.002)
    assert lens.camera.matrix[1, 1] == pytest.approx(521, rel=0.002)
    assert lens.camera.matrix[0, 2] == pytest.approx(325, abs=1)
    assert lens.fx_sigma < 0.002
    assert lens.camera.distortion[0] == pytest.approx(-0.05, abs=0.01)


@pytest.mark.long
def test_it_is_refused_with_the_reason(views: list[Picture]) -> None:
    survey = surveyed(views[:4])
    with pytest.raises(BadLens, match="Only 4 view"):
        survey.lens()
    same = survey.add(views[0])
    assert same is not None
    assert same.key == "lens.same"
    bent = surveyed(views)
    bent.views[::2] = [wavy(view) for view in bent.views[::2]]
    with pytest.raises(BadLens, match="the error is"):
        bent.lens()


def wavy(view: View) -> View:
    """The sheet with a bend in it."""
    corners = view.corners + 5 * np.sin(view.corners / 9)
    return View(view.objects, corners.astype(np.float32), view.ids, view.name)


@pytest.mark.long
def test_one_bent_view_is_named_and_left_out(smooth: list[Picture]) -> None:
    survey = Survey((smooth[0].shape[1], smooth[0].shape[0]))
    for k, view in enumerate(smooth):
        survey.add(view, f"{k}.jpg")
    survey.views[7] = wavy(survey.views[7])
    lens = survey.lens()
    assert [view.name for view, _ in survey.left] == ["7.jpg"]
    assert lens.views == 11
    assert lens.camera.matrix[0, 0] == pytest.approx(520, rel=0.003)


@pytest.mark.long
def test_views_in_one_spot_cover_too_little(views: list[Picture]) -> None:
    survey = surveyed(views)
    middle = survey.views[5]
    survey.views = [
        View(middle.objects, middle.corners * 0.2 + 200 + k, middle.ids) for k in range(10)
    ]
    with pytest.raises(BadLens, match="cover"):
        survey.lens()


@pytest.mark.long
def test_the_next_view_is_asked_for(views: list[Picture]) -> None:
    survey = Survey(SIZE)
    asked = []
    for view in views:
        missing = survey.missing()
        asked.append(missing.key if missing else "")
        survey.add(view)
    assert asked[0] == "lens.first"
    assert "lens.corner" in asked
    assert survey.missing() is None


class Chessboard(Sheet):
    """The plain chessboard of OpenCV's photos."""

    def view(self, grey: NDArray[np.uint8]) -> View | None:
        found, corners = cv2.findChessboardCornersSB(
            grey, (9, 6), flags=cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY
        )
        if not found:
            return None
        objects = np.zeros((54, 1, 3), np.float32)
        objects[:, 0, :2] = np.mgrid[0:9, 0:6].T.reshape(-1, 2) * 25
        return View(objects, np.asarray(corners, np.float32).reshape(-1, 1, 2), tuple(range(54)))


def grey(name: str) -> Picture:
    return np.asarray(cv2.imread(str(PHOTOS / name), cv2.IMREAD_GRAYSCALE))


@pytest.mark.long
def test_opencvs_photos_give_opencvs_lens() -> None:
    """Published for these photos: fx 535.9 px, error 0.39 px with the detector of that time."""
    photos = [grey(path.name) for path in sorted(PHOTOS.glob("left*.jpg"))]
    survey = surveyed(photos, Chessboard())
    lens = fitted(survey.views, survey.size)
    assert len(survey.views) >= 10
    assert lens.rms < 0.25
    assert 530 < lens.camera.matrix[0, 0] < 540


def test_opencvs_charuco_photo_is_read_whole() -> None:
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    sheet = Sheet(cv2.aruco.CharucoBoard((5, 7), 0.04, 0.02, family))
    picture = grey("choriginal.jpg")
    _, _, _, ids = sheet.detector.detectBoard(picture)
    assert sorted(ids.ravel().tolist()) == list(range(17))
    view = sheet.view(picture)
    assert view is not None
    assert len(view.ids) == 24  # 4 x 6 inner corners


@pytest.mark.long
def test_a_photo_without_a_board_gives_nothing() -> None:
    assert Sheet().view(grey("no_board.jpg")) is None
    assert Chessboard().view(grey("no_board.jpg")) is None


@pytest.mark.long
def test_a_folder_of_photos_becomes_a_lens_file(smooth: list[Picture], tmp_path: Path) -> None:
    photos, home = tmp_path / "photos", tmp_path / "home"
    photos.mkdir()
    for k, view in enumerate(smooth):
        cv2.imwrite(str(photos / f"{k:02}.png"), view)
    run = CliRunner()
    command = ["--home", str(home), "calibrate", "camera"]
    done = run.invoke(main, [*command, "--images", str(photos)])
    assert done.exit_code == 0, done.output
    assert "Reprojection error" in done.output
    lens = lens_file.load(lens_file.path(home))
    assert lens.camera.matrix[0, 0] == pytest.approx(520, rel=0.002)
    nothing = run.invoke(main, [*command, "--rollback"])
    assert nothing.exit_code == 1
    assert "no earlier" in nothing.output
    assert run.invoke(main, [*command, "--images", str(photos), "--json"]).exit_code == 0
    back = run.invoke(main, [*command, "--rollback"])
    assert back.exit_code == 0
    (photos / "06.jpg").write_text("not a picture")
    text = run.invoke(main, [*command, "--images", str(photos)])
    assert text.exit_code == 0, text.output
    assert "06.jpg: this is not a picture" in text.output


@pytest.mark.long
def test_photos_that_are_none_or_of_another_size_are_left_out_and_said(
    views: list[Picture], tmp_path: Path
) -> None:
    (tmp_path / "0.jpg").write_text("not a picture")
    (tmp_path / "6.heic").touch()
    cv2.imwrite(str(tmp_path / "1.png"), cv2.resize(views[0], (480, 360)))
    cv2.imwrite(str(tmp_path / "2.png"), np.full((480, 640), 200, np.uint8))
    for k in (1, 2, 3):
        cv2.imwrite(str(tmp_path / f"{k + 2}.png"), views[k])
    command = ["--home", str(tmp_path), "calibrate", "camera"]
    done = invoke(*command, "--images", tmp_path)
    assert done.exit_code == 1
    assert "0.jpg: this is not a picture" in done.stderr
    assert "no JPEG, PNG, BMP or WebP: 6.heic" in done.stderr
    assert "1 view of 480x360 is left out, for most are 640x480" in done.stderr
    assert "2.png: the lens sheet (hexboard sheet charuco) is not seen" in done.stdout
    assert "5.png: 3 views" in done.stdout
    assert "Only 3 views show the lens sheet (hexboard sheet charuco)" in done.stderr


@pytest.mark.parametrize("size", ["0x0", "-5x-5", "99999x99999", "1280", "1280x720x3"])
def test_a_size_that_no_camera_has_is_refused(tmp_path: Path, size: str) -> None:
    command = ["--home", str(tmp_path), "calibrate", "camera", "--camera", "/dev/video99"]
    done = invoke(*command, f"--size={size}")
    assert (done.exit_code, "written as 1280x720" in done.stderr) == (2, True)


def test_what_to_show_a_live_camera_next_is_said_once(
    views: list[Picture], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing yet, twice; a view; the same one, twice; another."""
    blank = np.full_like(views[0], 200)
    shown = [blank, blank, views[0], views[0], views[0], views[1]]
    frames = (Frame(0, np.dstack([picture] * 3)) for picture in shown)
    assert len(surveyed_live(frames, False, False, until_enough=True)[SIZE].views) == 2
    lines = capsys.readouterr().out.splitlines()
    hint = "Now bring the sheet into the"
    assert len(lines) == 4
    assert lines[0].startswith("view 0: the lens sheet")
    assert lines[0].endswith("Show the whole sheet, straight.")
    assert lines[1].startswith("view 1: 1 view,")
    assert lines[2].startswith("view 1: as one before")
    assert all(hint in line for line in lines[1:])


def bent(picture: Picture) -> Picture:
    """A picture of a sheet with waves of 6 px in it."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float32)
    x, y = x + 6 * np.sin(y / 40), y + 6 * np.sin(x / 40)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR))


@pytest.mark.long
def test_one_bent_view_before_a_live_camera_costs_one_view(
    smooth: list[Picture], capsys: pytest.CaptureFixture[str]
) -> None:
    """It cost the whole session: of ten views none was left out."""
    shown = [*smooth[:4], bent(smooth[4]), *smooth[5:], smooth[4]]
    frames = (Frame(0, np.dstack([picture] * 3)) for picture in shown)
    survey = surveyed_live(frames, False, False, until_enough=True)[SIZE]
    assert "do not fit one lens" in capsys.readouterr().err
    lens = survey.lens()
    assert len(survey.left) == 1
    assert len(survey.views) >= 10
    assert lens.camera.matrix[0, 0] == pytest.approx(520, rel=0.003)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"schema": "x"}', b"[" * 100_000])
def test_a_torn_lens_file_is_refused_in_a_sentence(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "camera.json"
    path.write_bytes(damage)
    with pytest.raises(BadFile, match="not a good file"):
        lens_file.load(path)


def test_a_lens_file_keeps_every_number(tmp_path: Path) -> None:
    lens = Lens(TRUE, 0.1, 0.2, 0.0003, 12, 0.9, False)
    lens_file.save(tmp_path / "camera.json", lens)
    again = lens_file.load(tmp_path / "camera.json")
    assert np.array_equal(again.camera.matrix, TRUE.matrix)
    assert np.array_equal(again.camera.distortion, TRUE.distortion)
    assert again.camera.size == SIZE
