"""The table of rolling balls, and what people are asked there."""
