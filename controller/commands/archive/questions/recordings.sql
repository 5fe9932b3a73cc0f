-- What is in the archive: each recording, the newest first.
SELECT begun, game, file, round(seconds / 60, 1) AS minutes, facts, rulings, questions,
    if(winner IS NULL, NULL, seats[winner + 1]) AS winner
FROM recordings
ORDER BY begun DESC
