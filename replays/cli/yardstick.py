"""What python-chess does on this machine: a yardstick for the figures of `bench`. Nothing else needs that library."""

from __future__ import annotations

import io
import time
from importlib.util import find_spec
from random import Random

MISSING = "python-chess, the yardstick, is not installed: `uv pip install chess`, and its figures and ratios come too."
SEED = 1


def has_chess() -> bool:
    """Whether python-chess is installed."""
    return find_spec("chess") is not None


def measure_chess(seconds: float) -> dict[str, float]:
    """Moves a second of random games of chess, and of reading these as PGN. Raises ImportError without python-chess."""
    import chess.pgn

    random, moves = Random(SEED), 0
    boards: list[chess.Board] = []
    begun = time.process_time()
    while not boards or time.process_time() - begun < seconds:
        board = chess.Board()
        while not board.is_game_over():
            board.push(random.choice(list(board.legal_moves)))
        moves += len(board.move_stack)
        boards.append(board)
    played = time.process_time() - begun
    text = io.StringIO("\n\n".join(str(chess.pgn.Game.from_board(board)) for board in boards))
    begun, read = time.process_time(), 0
    while (not read or time.process_time() - begun < seconds) and (game := chess.pgn.read_game(text)) is not None:
        read += sum(1 for _ in game.mainline_moves())
    return {"chess.random.moves_per_s": moves / played, "chess.read.moves_per_s": read / (time.process_time() - begun)}
