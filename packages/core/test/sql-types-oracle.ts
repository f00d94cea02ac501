/** @module A real PostgreSQL that evaluates thousands of expressions at once. */
import { createDatabase } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { describe, inject } from 'vitest'
import type { Oid, PgType } from '../src/compiler/sql-types/pg-type.ts'
import { createTypeSystem, type TypeSystem } from '../src/compiler/sql-types/system/type-system.ts'

/** The tables are generated from this version; later ones have more functions and read more texts. */
const catalogVersion = 15

/** A `describe` for comparisons with the version of PostgreSQL that the tables are generated from. */
export async function describeCatalogVersion(name: string, tests: () => void): Promise<void> {
  const version = await serverVersion(inject('postgresUrl'))
  const reason = version === undefined ? 'no PostgreSQL' : `PostgreSQL ${version}`
  const isOther = version !== catalogVersion
  describe.skipIf(isOther)(isOther ? `${name} (skipped: ${reason})` : name, tests)
}

async function serverVersion(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    )
    return rows[0]?.version
  } finally {
    await client.end()
  }
}

/** PostgreSQL's result for one expression. */
export type Verdict =
  | { readonly ok: true; readonly oid: Oid }
  | { readonly ok: false; readonly sqlState: string }

export type Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sqlState: string }

export interface Oracle {
  readonly client: Client
  /** The built-in types, and the enum, domains and arrays that `open` created. */
  readonly types: TypeSystem
  oid(name: string): Oid
  /** The type of each expression, or the reason for its refusal. */
  typesOf(expressions: readonly string[]): Promise<readonly Verdict[]>
  /** SQLSTATE of each statement that PostgreSQL does not plan, undefined for the others. */
  faultsOf(statements: readonly string[]): Promise<readonly (string | undefined)[]>
  /** The value of each literal of a type, in the text of the type's output function. */
  readAll(typeText: string, literals: readonly string[]): Promise<readonly Reading[]>
  /** The same when stored in a column of the type. */
  storeAll(typeText: string, literals: readonly string[]): Promise<readonly Reading[]>
  /** Oid and typmod of a type as it is written: `varchar(5)`. */
  typeNamed(typeText: string): Promise<{ readonly oid: Oid; readonly typmod: number }>
  /** The oid of the function or operator at the root of each expression, all of which are valid. */
  chosenIn(expressions: readonly string[]): Promise<readonly Oid[]>
  close(): Promise<void>
}

const setup = `
  create type mood as enum ('sad', 'ok', 'happy');
  create type shade as enum ('dark', 'light');
  create domain positive as int4 check (value > 0);
  create domain short_text as varchar(5);
  create domain numbers as int4[];
  create domain feeling as mood;
  create function type_of(expression text) returns text language plpgsql as $$
    declare found oid;
    begin
      execute 'select pg_typeof((select ' || expression || '))::oid' into found;
      return 't' || found;
    exception when others then
      return sqlstate;
    end $$;
  create function fault_of(statement text) returns text language plpgsql as $$
    begin
      execute 'explain ' || statement;
      return null;
    exception when others then
      return sqlstate;
    end $$;
  create function read_literal(type text, literal text) returns text language plpgsql as $$
    declare printed text;
    begin
      execute format('select format(''%%s'', x) from (select %L::%s) as s(x)', literal, type)
        into printed;
      return 't' || printed;
    exception when others then
      return sqlstate;
    end $$;
  create function store_literal(type text, literal text) returns text language plpgsql as $$
    declare printed text;
    begin
      execute format('insert into stored values (%L) returning format(''%%s'', x)', literal)
        into printed;
      return 't' || printed;
    exception when others then
      return sqlstate;
    end $$;
  set timezone = 'UTC';
  set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres';
  set bytea_output = 'hex';
`

const ownTypesQuery = `
  select oid::int as oid, typname as name, typcategory as category, typtype as type,
    typelem::int as element, typarray::int as "array", typbasetype::int as base,
    typtypmod as typmod, typcollation <> 0 as collatable,
    (select array_agg(enumlabel::text order by enumsortorder) from pg_enum
      where enumtypid = t.oid) as labels
  from pg_type t where typnamespace = 'public'::regnamespace and typrelid = 0`

interface OwnType {
  readonly oid: number
  readonly name: string
  readonly category: string
  readonly type: string
  readonly element: number
  readonly array: number
  readonly base: number
  readonly typmod: number
  readonly collatable: boolean
  readonly labels: readonly string[] | null
}

/** Runs in a database of its own. */
export async function openOracle(): Promise<Oracle> {
  const client = new Client({ connectionString: await createDatabase('sql types') })
  await client.connect()
  await client.query(setup)
  const own = await client.query<OwnType>(ownTypesQuery)
  const types = createTypeSystem({ types: own.rows.map(ownType) })
  return {
    client,
    types,
    oid: (name) => {
      const type = types.typeByName(name)
      if (type === undefined) throw new Error(`no type ${name}`)
      return type.oid
    },
    typesOf: (expressions) => typesOf(client, expressions),
    faultsOf: async (statements) => {
      const { rows } = await client.query<{ fault: string | null }>(
        'select fault_of(s) as fault from unnest($1::text[]) with ordinality as a(s, i) order by i',
        [statements],
      )
      return rows.map(({ fault }) => fault ?? undefined)
    },
    readAll: (typeText, literals) => readLiterals(client, 'read_literal', typeText, literals),
    storeAll: async (typeText, literals) => {
      await client.query(`create table stored (x ${typeText})`)
      const readings = await readLiterals(client, 'store_literal', typeText, literals)
      await client.query('drop table stored')
      return readings
    },
    typeNamed: async (typeText) => {
      await client.query(`create table named (x ${typeText})`)
      const { rows } = await client.query<{ oid: number; typmod: number }>(
        `select atttypid::int as oid, atttypmod as typmod from pg_attribute
         where attrelid = 'named'::regclass and attname = 'x'`,
      )
      await client.query('drop table named')
      const [type] = rows
      if (type === undefined) throw new Error(`no type ${typeText}`)
      return type
    },
    chosenIn: (expressions) => chosenIn(client, expressions),
    close: () => client.end(),
  }
}

function ownType(row: OwnType): PgType {
  const kinds: Readonly<Record<string, PgType['kind']>> = { e: 'enum', d: 'domain' }
  return {
    oid: row.oid,
    name: row.name,
    category: row.category,
    isPreferred: false,
    kind: kinds[row.type] ?? 'base',
    ...(row.category === 'A' && row.base === 0 ? { elementOid: row.element } : {}),
    ...(row.array === 0 ? {} : { arrayOid: row.array }),
    ...(row.base === 0 ? {} : { baseOid: row.base, baseTypmod: row.typmod }),
    isCollatable: row.collatable,
    ...(row.labels === null ? {} : { enumLabels: row.labels }),
    isNameable: true,
    schema: 'public',
  }
}

async function typesOf(
  client: Client,
  expressions: readonly string[],
): Promise<readonly Verdict[]> {
  const { rows } = await client.query<{ found: string }>(
    'select type_of(e) as found from unnest($1::text[]) with ordinality as a(e, i) order by i',
    [expressions],
  )
  return rows.map(
    ({ found }): Verdict =>
      found.startsWith('t')
        ? { ok: true, oid: Number(found.slice(1)) }
        : { ok: false, sqlState: found },
  )
}

async function readLiterals(
  client: Client,
  reader: 'read_literal' | 'store_literal',
  typeText: string,
  literals: readonly string[],
): Promise<readonly Reading[]> {
  const { rows } = await client.query<{ found: string }>(
    `select ${reader}($1, l) as found from unnest($2::text[]) with ordinality as a(l, i) order by i`,
    [typeText, literals],
  )
  return rows.map(
    ({ found }): Reading =>
      found.startsWith('t') ? { ok: true, text: found.slice(1) } : { ok: false, sqlState: found },
  )
}

/** The rewritten tree of a view names the chosen function or operator of each of its columns. */
async function chosenIn(client: Client, expressions: readonly string[]): Promise<readonly Oid[]> {
  const chosen: Oid[] = []
  for (let start = 0; start < expressions.length; start += columnsPerView) {
    const columns = expressions
      .slice(start, start + columnsPerView)
      .map((expression, i) => `((${expression}) is null) as c${i}`)
    await client.query(`create view probe as select ${columns.join()}`)
    const { rows } = await client.query<{ tree: string }>(
      `select ev_action::text as tree from pg_rewrite where ev_class = 'probe'::regclass`,
    )
    const found = (rows[0]?.tree ?? '').matchAll(rootPattern)
    chosen.push(...[...found].map((match) => Number(match[1])))
    await client.query('drop view probe')
  }
  return chosen
}

const columnsPerView = 500
const rootPattern =
  /TARGETENTRY :expr \{NULLTEST :arg \{(?:OPEXPR :opno|SCALARARRAYOPEXPR :opno|FUNCEXPR :funcid|AGGREF :aggfnoid|WINDOWFUNC :winfnoid) (\d+)/g
