/** @module Sessions of drivers that stay open while a database gets more types: each keeps the numbers of the types it has met. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import postgres from 'postgres'
import { driverJar, missingJdbc, missingPythonModule, python } from './find-clients.ts'
import { programEnvironment, programs } from './program-client.ts'
import { urlOf, type WireTarget } from './wire-target.ts'

/** Tables and type that the sessions use. A row of `t1` has the id 1. */
export const enumTables = `
create type mood as enum ('sad', 'ok');
create table t1 (id int primary key, m mood, ms mood[]);
insert into t1 values (1, 'ok', '{sad,ok}');`

/** What a session got: `m` and `ms` of the row, and the ids of the rows where `m` is a parameter. */
export interface EnumAnswer {
  readonly mood: string
  /** An array, or its text where the driver does not know how arrays of the type look. */
  readonly moods: readonly string[] | string
  readonly found: readonly number[]
}

export interface EnumSession {
  /** @param number of a row that it inserts */
  ask(number: number): Promise<EnumAnswer>
  end(): Promise<void>
}

export interface EnumClient {
  readonly name: string
  readonly missing: () => string | undefined
  readonly open: (target: WireTarget) => Promise<EnumSession>
}

export const enumClients: readonly EnumClient[] = [
  { name: 'node-postgres', missing: () => undefined, open: openNodePostgres },
  { name: 'postgres.js', missing: () => undefined, open: openPostgresJs },
  {
    name: 'psycopg 3',
    missing: () => missingPythonModule('psycopg', 'python3-psycopg'),
    open: (target) => openProgram(target, [python, `${programs}/enums/psycopg3.py`]),
  },
  {
    name: 'asyncpg',
    missing: () => missingPythonModule('asyncpg', 'python3-asyncpg'),
    open: (target) => openProgram(target, [python, `${programs}/enums/asyncpg_session.py`]),
  },
  {
    name: 'pgjdbc',
    missing: missingJdbc,
    open: (target) =>
      openProgram(target, ['java', '-cp', driverJar, `${programs}/enums/EnumSession.java`]),
  },
]

async function openNodePostgres(target: WireTarget): Promise<EnumSession> {
  const client = new pg.Client(urlOf(target))
  await client.connect()
  return {
    ask: async (number) => {
      const [row] = (await client.query('select m, ms from t1 where id = 1')).rows
      const find = { name: 'find', text: 'select id from t1 where m = $1', values: ['ok'] }
      const found = (await client.query(find)).rows
      await client.query('insert into t1 (id, ms) values ($1, $2)', [number, ['sad']])
      return { mood: row.m, moods: row.ms, found: found.map(({ id }) => id) }
    },
    end: () => client.end(),
  }
}

async function openPostgresJs(target: WireTarget): Promise<EnumSession> {
  const sql = postgres(urlOf(target), { max: 1 })
  return {
    ask: async (number) => {
      const [row] = await sql`select m, ms from t1 where id = 1`
      const found = await sql`select id from t1 where m = ${'ok'}`
      await sql`insert into t1 (id, ms) values (${number}, ${['sad']})`
      return { mood: row?.['m'], moods: row?.['ms'], found: found.map(({ id }) => id) }
    },
    end: () => sql.end(),
  }
}

/** The program reads the number of a row and prints its answer as JSON, line by line. */
async function openProgram(
  target: WireTarget,
  [path, ...words]: readonly [string, ...string[]],
): Promise<EnumSession> {
  const child = spawn(path, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: programEnvironment(target, 1),
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    ask: async (number) => {
      child.stdin.write(`${number}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${path} ended:\n${errors}`)
      return JSON.parse(value) as EnumAnswer
    },
    end: async () => {
      child.stdin.end()
      await closed
    },
  }
}
