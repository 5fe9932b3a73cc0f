"""What stands in guest/ is for the guest alone; elsewhere there are no such pins."""

import os

collect_ignore = [] if "HEXBOARD_VM" in os.environ else ["guest"]
