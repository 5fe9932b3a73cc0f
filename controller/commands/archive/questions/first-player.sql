-- How often who began has won, for each game and its options.
-- A match that went on in several recordings counts once, by its last one. `low` and `high` hold
-- the true rate 19 in 20 times (Wilson).
WITH played AS (
    SELECT game, options, over, first, winner
    FROM recordings
    QUALIFY row_number() OVER (
        PARTITION BY match, board, game ORDER BY coalesce(session, 0) DESC, begun DESC
    ) = 1
), counted AS (
    SELECT game, options, count(*) AS n, count(*) FILTER (winner = first) AS won,
        count(*) FILTER (winner IS NULL) AS drawn
    FROM played
    WHERE over AND first IS NOT NULL
    GROUP BY game, options
)
SELECT game, options, n AS matches, won AS first_won, drawn, round(won / n, 3) AS rate,
    round(greatest(won + 1.9208 - 1.96 * sqrt(won * (n - won) / n + 0.9604), 0) / (n + 3.8416), 3) AS low,
    round((won + 1.9208 + 1.96 * sqrt(won * (n - won) / n + 0.9604)) / (n + 3.8416), 3) AS high
FROM counted
ORDER BY n DESC, game, options
