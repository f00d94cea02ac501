/** Zeros with a sign: what PostgreSQL answers for each. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admin, createEngine, type Engine } from '@engine/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const directory = mkdtempSync(join(tmpdir(), 'engine-signed-zeros-'))
let engine: Engine

beforeAll(async () => {
  const path = join(directory, 'main.db')
  new Database(path).exec('create table other (id integer primary key)').close()
  engine = await createEngine(
    { connections: { main: { url: `file:${path}` } } },
    { adapters: { '@engine/adapters-sqlite': connect } },
  )
})
afterAll(async () => {
  await engine?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function row(expression: string): Promise<string> {
  const sql = `select ${expression} from (values ('-0'::float8), ('-0'::float8)) as z (x) limit 1`
  const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, admin)
  return Buffer.from(body).toString()
}

test.each([
  'x',
  '- (- x)',
  '- abs(x)',
  'x * 1',
  'x - 0',
  'x / 5',
  '0::float8 / -5',
  'round((-0.4)::float8)',
  'ceil((-0.5)::float8)',
  'sqrt(x)',
  'x::float4',
  "- '0'::float4",
  'sum(x)',
  'max(- abs(x))',
])('%s is -0', async (expression) => {
  expect(await row(`(${expression})::text, ${expression}`)).toBe('{"rows":[["-0",-0]]}')
})

test.each(['- x', 'abs(x)', '@ x', 'abs(x::float4)', '@ x::float4', 'x + 0', 'sign(x)', 'avg(x)'])(
  '%s is 0',
  async (expression) => {
    expect(await row(`(${expression})::text, ${expression}`)).toBe('{"rows":[["0",0]]}')
  },
)

test.each([
  'x = 0',
  'array[x] = array[0::float8]',
  'array_position(array[1::float8, 0::float8], x) = 2',
  'x in (0::float8)',
])('%s', async (expression) => {
  expect(await row(expression)).toBe('{"rows":[[true]]}')
})

test('-Infinity and Infinity change places', async () => {
  expect(await row("- 'Infinity'::float8, - '-Infinity'::float8, abs('-Infinity'::float8)")).toBe(
    '{"rows":[["-Infinity","Infinity","Infinity"]]}',
  )
})
