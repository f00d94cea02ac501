/** @module The statements that count a request in the service database: one for each kind of database. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { unreachable } from '../../foundation/unreachable.ts'
import type { StoreKind } from '../store/store.ts'
import type { Meter } from './gcra.ts'

export interface RateLimitTables {
  /** `tat`: the theoretical arrival time, nanoseconds since 1970. */
  engine_rate_limits: { key_hash: string; tat: number }
}

export interface Taking {
  readonly keyHash: string
  /** In nanoseconds. */
  readonly meter: Meter
  readonly nowMs: number
}

export interface Taken {
  readonly isAllowed: boolean
  /** Nanoseconds until the bucket is empty. */
  readonly fill: number
}

/** The statements of one kind of database. */
export interface Counting {
  takeOne(taking: Taking): Promise<Taken>
  /** Nanoseconds until the bucket is empty; undefined when it was never used. */
  levelOf(keyHash: string, nowMs: number): Promise<number | undefined>
  /** Some keys whose buckets are empty. */
  expired(most: number, nowMs: number): Promise<readonly string[]>
  /** @param nowMs keeps buckets that were used meanwhile; undefined deletes them, too. */
  remove(keyHashes: readonly string[], nowMs: number | undefined): Promise<void>
}

export function counting(kind: StoreKind, database: Kysely<RateLimitTables>): Counting {
  const now = (nowMs: number) => momentOf(kind, nowMs)
  return {
    takeOne: takers[kind](database),
    levelOf: async (keyHash, nowMs) => {
      const row = await database
        .selectFrom('engine_rate_limits')
        .select(
          sql<number>`case when tat > ${now(nowMs)} then tat - ${now(nowMs)} else 0 end`.as('fill'),
        )
        .where('key_hash', '=', keyHash)
        .executeTakeFirst()
      return row?.fill
    },
    expired: async (most, nowMs) => {
      const rows = await database
        .selectFrom('engine_rate_limits')
        .select('key_hash')
        .where('tat', '<', now(nowMs))
        .limit(most)
        .execute()
      return rows.map((row) => row.key_hash)
    },
    remove: async (keyHashes, nowMs) => {
      const all = database.deleteFrom('engine_rate_limits').where('key_hash', 'in', keyHashes)
      await (nowMs === undefined ? all : all.where('tat', '<', now(nowMs))).execute()
    },
  }
}

/** Nanoseconds since 1970, by the clock of the database's server where there is one. */
function momentOf(kind: StoreKind, nowMs: number): RawBuilder<number> {
  switch (kind) {
    case 'sqlite':
      return sql`(cast(${nowMs} as integer) * 1000000)`
    case 'libsql':
      return sql`(cast(unixepoch('subsec') * 1000 as integer) * 1000000)`
    case 'postgres':
      return sql`((extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000)`
    case 'mysql':
      return sql`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) * 1000)`
    default:
      return unreachable(kind)
  }
}

/** Longer than any statement waits, in nanoseconds. */
const oldestMoment = 60_000_000_000

type Taker = (database: Kysely<RateLimitTables>) => Counting['takeOne']

/**
 * Used by all of these statements. A new key is inserted with `now + cost`; an existing row meets the same number as the proposed
 * value. `room` is the capacity minus one take. A time much further ahead than the capacity comes from a clock that was set back:
 * it counts as a full bucket that admits one take, or its owner would stay locked out. A time a little further ahead comes from
 * takes that started later but did not have to wait for the row.
 */
const sqliteTaker =
  (kind: 'sqlite' | 'libsql'): Taker =>
  (database) =>
  async ({ keyHash, meter: { cost, capacity }, nowMs }) => {
    const now = momentOf(kind, nowMs)
    const whole = (units: number) => sql`cast(${units} as integer)`
    const room = whole(capacity - cost)
    const impossible = whole(capacity - cost + oldestMoment)
    const { rows } = await sql<{ readonly fill: number }>`
      insert into engine_rate_limits (key_hash, tat) values (${keyHash}, ${now} + ${whole(cost)})
      on conflict (key_hash) do update set tat = case
        when engine_rate_limits.tat > excluded.tat + ${impossible} then excluded.tat + ${room}
        else max(engine_rate_limits.tat + ${whole(cost)}, excluded.tat) end
      where engine_rate_limits.tat <= excluded.tat - ${whole(cost)} + ${room}
        or engine_rate_limits.tat > excluded.tat + ${impossible}
      returning tat - ${now} as fill
    `.execute(database)
    const [taken] = rows
    if (taken !== undefined) return { isAllowed: true, fill: taken.fill }
    const level = await counting(kind, database).levelOf(keyHash, nowMs)
    return refusal(level, { cost, capacity })
  }

/**
 * There was no room at the time of the refusal, even if there is now: the fill level is taken as at least too full for one take.
 */
function refusal(level: number | undefined, { cost, capacity }: Omit<Meter, 'perMs'>): Taken {
  return { isAllowed: false, fill: Math.max(level ?? 0, capacity - cost + 1) }
}

const postgresTaker: Taker =
  (database) =>
  async ({ keyHash, meter: { cost, capacity }, nowMs }) => {
    const whole = (units: number) => sql`${units}::bigint`
    const room = whole(capacity - cost)
    const impossible = whole(capacity - cost + oldestMoment)
    const { rows } = await sql<{ readonly is_allowed: number; readonly fill: number }>`
      with moment as materialized (select ${momentOf('postgres', nowMs)} as ns),
      taken as (
        insert into engine_rate_limits as known (key_hash, tat)
        select ${keyHash}, ns + ${whole(cost)} from moment
        on conflict (key_hash) do update set tat = case
          when known.tat > excluded.tat + ${impossible} then excluded.tat + ${room}
          else greatest(known.tat + ${whole(cost)}, excluded.tat) end
        where known.tat <= excluded.tat - ${whole(cost)} + ${room}
          or known.tat > excluded.tat + ${impossible}
        returning tat - ${momentOf('postgres', nowMs)} as fill
      )
      select 1 as is_allowed, fill from taken
      union all
      select 0, tat - ns from engine_rate_limits, moment
      where key_hash = ${keyHash} and not exists (select 1 from taken)
    `.execute(database)
    const [row] = rows
    if (row?.is_allowed === 1) return { isAllowed: true, fill: row.fill }
    // The second half sees the table as it was before the first: other takes may have filled the bucket meanwhile.
    const isCurrent = row !== undefined && row.fill > capacity - cost
    const level = isCurrent
      ? row.fill
      : await counting('postgres', database).levelOf(keyHash, nowMs)
    return refusal(level, { cost, capacity })
  }

/**
 * MySQL returns nothing of the row that it found but the last id: `LAST_INSERT_ID(n)` makes that n, here twice the level, and one
 * more when there was no room.
 */
const mysqlTaker: Taker =
  (database) =>
  async ({ keyHash, meter: { cost, capacity }, nowMs }) => {
    const whole = (units: number) => sql`cast(${units} as signed)`
    const room = whole(capacity - cost)
    const impossible = whole(capacity - cost + oldestMoment)
    const tell = (level: RawBuilder<unknown>, refused: 0 | 1) =>
      sql`0 * last_insert_id(2 * ${level} + ${sql.lit(refused)})`
    const proposed = sql`values(tat)`
    const next = sql`greatest(tat + ${whole(cost)}, ${proposed})`
    const since = (moment: RawBuilder<unknown>) => sql`(${moment} - ${proposed} + ${whole(cost)})`
    const { insertId } = await sql`
      insert into engine_rate_limits (key_hash, tat)
      values (${keyHash}, ${momentOf('mysql', nowMs)} + ${whole(cost)} + ${tell(whole(cost), 0)})
      on duplicate key update tat = case
        when tat > ${proposed} + ${impossible} then ${proposed} + ${room} + ${tell(whole(capacity), 0)}
        when tat <= ${proposed} - ${whole(cost)} + ${room} then ${next} + ${tell(since(next), 0)}
        else tat + ${tell(since(sql`tat`), 1)} end
    `.execute(database)
    if (insertId === undefined) throw new Error('MySQL reported no last id')
    return { isAllowed: insertId % 2n === 0n, fill: Number(insertId / 2n) }
  }

const takers: Readonly<Record<StoreKind, Taker>> = {
  sqlite: sqliteTaker('sqlite'),
  libsql: sqliteTaker('libsql'),
  postgres: postgresTaker,
  mysql: mysqlTaker,
}
