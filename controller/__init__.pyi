from hexboard.library.match import Match as Match
from hexboard.library.position import Position as Position
from hexboard.library.position import names as names
from hexboard.library.position import position as position
from hexboard.library.position import start as start
from hexboard.library.recording import Recording as Recording
from hexboard.words.errors import BadRecording as BadRecording
from hexboard.words.errors import BadText as BadText
from hexboard.words.errors import HexboardError as HexboardError
from hexboard.words.errors import IllegalAction as IllegalAction

open = Recording
__version__: str
