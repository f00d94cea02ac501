"""SQLAlchemy over psycopg2: reflection of the catalog, the ORM, pools."""

import reflection  # noqa: F401
import statements  # noqa: F401
from wire_checks import run

run()
