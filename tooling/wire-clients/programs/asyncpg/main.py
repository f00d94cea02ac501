"""asyncpg: its own protocol code, everything prepared and binary."""

import sessions  # noqa: F401
import value_types  # noqa: F401
import copying  # noqa: F401
from wire_checks import run

run()
