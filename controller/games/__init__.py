"""The games: one a file or folder, each behind `controller.games.position`."""
