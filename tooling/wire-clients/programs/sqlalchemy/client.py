"""The engine of this client."""

import sqlalchemy
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER


def create_engine(**options):
    url = sqlalchemy.engine.URL.create("postgresql+psycopg2", USER, PASSWORD, HOST, PORT, DATABASE)
    return sqlalchemy.create_engine(url, **options)


ENGINE = create_engine()
