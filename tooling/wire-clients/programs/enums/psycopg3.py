"""A session of psycopg that has registered an enum: for each line it reads, it uses the enum and prints what it got."""

import json
import sys
from enum import Enum

import psycopg
from psycopg.types.enum import EnumInfo, register_enum
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER


class Mood(Enum):
    sad = "sad"
    ok = "ok"


with psycopg.connect(
    host=HOST, port=PORT, user=USER, password=PASSWORD, dbname=DATABASE, autocommit=True
) as connection:
    register_enum(EnumInfo.fetch(connection, "mood"), connection, Mood)
    for line in sys.stdin:
        number = int(line)
        [[mood, moods]] = connection.execute("select m, ms from t1 where id = 1").fetchall()
        found = connection.execute("select id from t1 where m = %s", [Mood.ok]).fetchall()
        connection.execute("insert into t1 (id, ms) values (%s, %s)", [number, [Mood.sad]])
        answer = {"mood": mood.name, "moods": [each.name for each in moods], "found": [row[0] for row in found]}
        print(json.dumps(answer), flush=True)
