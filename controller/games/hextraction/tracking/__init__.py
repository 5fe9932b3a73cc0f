"""From edges to balls: where each one rolls, and what a whole roll may have been."""
