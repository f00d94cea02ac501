"""psycopg 3: libpq, extended protocol, text and binary, pipelines."""

import connecting  # noqa: F401
import statements  # noqa: F401
import value_types  # noqa: F401
import transactions  # noqa: F401
import copying  # noqa: F401
import pipelines  # noqa: F401
from wire_checks import run

run()
