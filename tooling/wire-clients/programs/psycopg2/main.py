"""psycopg2: libpq, simple protocol, text."""

import connecting  # noqa: F401
import cursors  # noqa: F401
import value_types  # noqa: F401
import transactions  # noqa: F401
import copying  # noqa: F401
import failures  # noqa: F401
from wire_checks import run

run()
