-- Over which tiles balls roll when the table has to ask what they did.
-- `asked` rolls of all that went over such a tile, however it was turned.
WITH over_it AS (
    SELECT DISTINCT recording, roll, asked LIKE 'table.%' AS doubt, split_part(piece, '/', 1) AS tile
    FROM (SELECT recording, roll, asked, unnest(pieces) AS piece FROM rolls)
)
SELECT tile, count(*) AS rolls, count(*) FILTER (doubt) AS asked,
    round(count(*) FILTER (doubt) / count(*), 3) AS rate
FROM over_it
GROUP BY tile
ORDER BY rate DESC, rolls DESC, tile
