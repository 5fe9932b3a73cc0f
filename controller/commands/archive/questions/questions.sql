-- What people are asked, how often, how long it waits, and how often the first answer was taken.
SELECT game, key, count(*) AS asked, round(median(waited_s), 1) AS waited_s,
    round(count(*) FILTER (answer_text = choices[1]) / nullif(count(answer), 0), 2) AS first_answer
FROM questions q JOIN recordings USING (recording)
GROUP BY game, key
ORDER BY asked DESC, game, key
