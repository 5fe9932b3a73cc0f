"""From sensor edges to happenings: debounce, sensor health, ball tracker. Pure, whole numbers."""
