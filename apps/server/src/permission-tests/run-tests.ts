/** @module Runs permission tests, each in a transaction of its own that is rolled back. */
import { isDeepStrictEqual } from 'node:util'
import { admin, type Engine, type Simulation } from '@engine/core'
import { readBody } from '../format/format-simulation.ts'
import type { ReadyTest } from './test-file.ts'

export interface TestResult {
  readonly name: string
  /** Failed expectations; empty: the test passed. */
  readonly problems: readonly string[]
}

/** Runs one after the other: they may write the same rows. */
export async function runTests(
  tests: readonly ReadyTest[],
  engine: Engine,
  options: { readonly signal?: AbortSignal },
): Promise<readonly TestResult[]> {
  const results: TestResult[] = []
  for (const test of tests) {
    results.push({ name: test.name, problems: await runTest(test, engine, options) })
  }
  return results
}

async function runTest(
  { sql, params = [], caller, given, expect, after = [] }: ReadyTest,
  engine: Engine,
  options: { readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const before = given.map((statement) => ({ ...statement, caller: admin }))
  const behind = after.map((statement) => ({
    sql: statement.sql,
    params: statement.params ?? [],
    caller: admin,
  }))
  const steps = [...before, { sql, params, caller }, ...behind]
  const simulations = await engine.simulateAll(steps, options)
  const failed = simulations
    .slice(0, given.length)
    .flatMap((simulation, i) => refusalText(simulation, `given[${i}]`))
  if (failed.length > 0) return failed
  const own = simulations[given.length] ?? { outcome: 'notRun' }
  const problems = checkAnswer(own, expect)
  if (problems.length > 0 || own.outcome !== 'answered') return problems
  return after.flatMap(({ rows }, i) => {
    const simulation = simulations[given.length + 1 + i] ?? { outcome: 'notRun' }
    const refused = refusalText(simulation, `after[${i}]`)
    if (refused.length > 0 || simulation.outcome !== 'answered') return refused
    return rowProblems(rowsOf(simulation), rows, false).map((text) => `after[${i}]: ${text}`)
  })
}

function refusalText(simulation: Simulation, place: string): readonly string[] {
  switch (simulation.outcome) {
    case 'answered':
      return []
    case 'notRun':
      return [`${place}: not run`]
    case 'refused':
      return [`${place}: ${simulation.status} ${simulation.error}: ${simulation.message}`]
  }
}

type Answered = Simulation & { readonly outcome: 'answered' }

function rowsOf({ body }: Answered): readonly unknown[] {
  const { rows } = readBody(body)
  return Array.isArray(rows) ? rows : []
}

function checkAnswer(simulation: Simulation, expect: ReadyTest['expect']): readonly string[] {
  const { status, error, rows, anyOrder = false, columns, count, affected } = expect
  const isRefusalExpected = error !== undefined || (status !== undefined && status !== 200)
  if (simulation.outcome === 'notRun') return ['not run']
  if (simulation.outcome === 'refused') {
    const got = `${simulation.status} ${simulation.error}: ${simulation.message}`
    if (!isRefusalExpected) return [`expected an answer, got ${got}`]
    const isExpected =
      (status ?? simulation.status) === simulation.status &&
      (error ?? simulation.error) === simulation.error
    const expected = [status, error].filter((part) => part !== undefined).join(' ')
    return isExpected ? [] : [`expected ${expected}, got ${got}`]
  }
  const { rowCount, isWrite } = simulation
  const got = rowsOf(simulation)
  if (isRefusalExpected) {
    const expected = [status, error].filter((part) => part !== undefined).join(' ')
    const shown = isWrite ? `${rowCount} rows written` : `${rowCount} rows`
    return [[`expected ${expected}, got 200 with ${shown}`, ...rowLines(got)].join('\n')]
  }
  const names = readBody(simulation.body).columns.map(({ name }) => name)
  return [
    ...(columns === undefined || isDeepStrictEqual(names, columns)
      ? []
      : [`expected the columns ${columns.join(', ')}, got ${names.join(', ')}`]),
    ...(rows === undefined ? [] : rowProblems(got, rows, anyOrder)),
    ...(count === undefined || count === got.length
      ? []
      : [`expected ${count} rows in the answer, got ${got.length}`]),
    ...(affected === undefined ? [] : affectedProblems(affected, isWrite, rowCount)),
  ]
}

function affectedProblems(expected: number, isWrite: boolean, got: number): readonly string[] {
  if (!isWrite) return [`expected ${expected} rows written, but the statement only reads`]
  return expected === got ? [] : [`expected ${expected} rows written, got ${got}`]
}

function rowProblems(
  got: readonly unknown[],
  expected: readonly unknown[],
  anyOrder: boolean,
): readonly string[] {
  const ordered = (rows: readonly unknown[]) =>
    anyOrder ? rows.map((row) => JSON.stringify(row)).sort() : rows
  if (isDeepStrictEqual(ordered(got), ordered(expected))) return []
  return [['expected rows', ...rowLines(expected), 'got', ...rowLines(got)].join('\n')]
}

/** Maximum rows shown of a wrong answer. */
const shownRows = 10

function rowLines(rows: readonly unknown[]): readonly string[] {
  if (rows.length === 0) return ['  no rows']
  const lines = rows.slice(0, shownRows).map((row) => `  ${JSON.stringify(row)}`)
  return rows.length > shownRows ? [...lines, `  and ${rows.length - shownRows} more`] : lines
}
