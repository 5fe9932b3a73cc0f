-- Sensors that miss more balls than they did: the first half of a board's recordings and the second.
WITH halves AS (
    SELECT recording, board, pico,
        ntile(2) OVER (PARTITION BY board, pico ORDER BY begun, recording) AS half
    FROM recordings
), counted AS (
    SELECT board, pico, sensor,
        sum(seen + missed) FILTER (half = 1) AS passed_before,
        sum(missed) FILTER (half = 1) AS missed_before,
        sum(seen + missed) FILTER (half = 2) AS passed_lately,
        sum(missed) FILTER (half = 2) AS missed_lately
    FROM sensors JOIN halves USING (recording)
    GROUP BY board, pico, sensor
)
SELECT *, round(missed_lately / passed_lately - missed_before / passed_before, 3) AS more
FROM counted
WHERE passed_before > 0 AND passed_lately > 0
    AND missed_lately / passed_lately > missed_before / passed_before
ORDER BY more DESC, board, pico, sensor
