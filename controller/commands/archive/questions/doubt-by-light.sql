-- How many cells a camera was not certain of, by how far the light was from the calibrated one.
SELECT board, greatest(abs(blue), abs(green), abs(red)) // 50 * 50 AS off_thousandths,
    count(*) AS looks, round(1 - sum(certain) / sum(cells), 4) AS doubt
FROM readings JOIN recordings USING (recording)
WHERE NOT hand
GROUP BY board, off_thousandths
ORDER BY board, off_thousandths
