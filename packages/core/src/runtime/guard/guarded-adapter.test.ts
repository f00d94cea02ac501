/** The guard is the only way from a plan to a database: no other file in this package uses an adapter or its session. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Adapter, ResultSet, Session, TransactionOptions } from '../adapter/adapter.ts'
import { guardAdapter } from './guarded-adapter.ts'
import type { PreparedRecheck } from './prepare-recheck.ts'
import type { Runnable } from './runnable.ts'

const root = join(import.meta.dirname, '..', '..')

/** Names of `adapter.ts` that can execute a statement. */
const executing = /\b(?:Adapter|Session|AdapterFactory)\b/

/** Files that open adapters, or that adapters are built with. */
const allowed = [
  'engine/adapter-factories.ts',
  'engine/load-adapter.ts',
  'entry-points/adapter.ts',
  'runtime/adapter/transaction-body.ts',
  'runtime/adapter/with-options.ts',
  'runtime/databases/data-source.ts',
]

test('nothing but the guard holds what executes a compiled statement', () => {
  const holding = globSync('**/*.ts', { cwd: root })
    .filter((path) => !/\.test\.ts$|test-support|^runtime\/guard\//.test(path))
    .filter((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const imports = text.matchAll(/(?:import|export) type \{([^}]*)\} from '[^']*\/adapter\.ts'/g)
      return [...imports].some(([, names = '']) => executing.test(names))
    })
    .toSorted()
  expect(holding).toEqual(allowed)
})

const result: ResultSet = { rows: '[1]', rowCount: 1, truncated: false }
const compiled = { isWrite: true, steps: [] } as unknown as CompiledStatement
const question = { isWrite: true, steps: ['check'] } as unknown as CompiledStatement

interface World {
  readonly adapter: Adapter
  readonly sent: string[]
}

/**
 * A database that records its calls; the write fails with `failure`.
 *
 * @param failing the number of rows that fail the check, or the error of computing it.
 */
function database(failure: GatewayError | undefined, failing: number | GatewayError): World {
  const sent: string[] = []
  const execute: Adapter['execute'] = async ({ statement }) => {
    if (statement === question) {
      sent.push('check')
      if (typeof failing !== 'number') throw failing
      return { ...result, rowCount: failing }
    }
    sent.push('write')
    if (failure !== undefined) throw failure
    return result
  }
  const transaction = async <T>(
    { isolation }: TransactionOptions,
    body: (session: Session) => Promise<T>,
  ): Promise<T> => {
    sent.push(`begin ${isolation ?? 'usual'}`)
    try {
      return await body({ execute })
    } finally {
      sent.push('end')
    }
  }
  const adapter = {
    kind: 'postgres',
    traits: { oneStateIsolation: 'repeatable read' },
    execute,
    transaction,
  } as Partial<Adapter> as Adapter
  return { adapter, sent }
}

function runnable(isPure: boolean, isComplete = true): Runnable {
  const recheck: PreparedRecheck = {
    queries: [{ compiled: question, recipe: () => [] }],
    isComplete,
    isPure,
  }
  return {
    prepared: {
      plan: { connection: 'main', compiled },
      precheck: undefined,
      recheck: () => recheck,
      checkFailure: () => new GatewayError('checkFailed', 'failed', { sqlState: '44000' }),
      withReportedFacts: (error) => error,
    },
    request: { params: [], callerValues: new Map(), timeMs: 0 } as unknown as Runnable['request'],
    values: [],
  }
}

const taken = new GatewayError('conflict', 'taken', { sqlState: '23505' })
const limits = { timeoutMs: 1_000, signal: undefined }
const send = (guarded: ReturnType<typeof guardAdapter>, ready: Runnable) =>
  guarded.runAlone(ready, limits, (go, left) => go({ rowShape: 'array', maxRows: 1, ...left }))

test('a write that succeeds is sent once and nothing is asked', async () => {
  const { adapter, sent } = database(undefined, 0)
  expect(await send(guardAdapter(adapter, undefined), runnable(false))).toEqual(result)
  expect(sent).toEqual(['write'])
})

test('an error is told when the check depends on the request alone and holds', async () => {
  const { adapter, sent } = database(taken, 0)
  await expect(send(guardAdapter(adapter, undefined), runnable(true))).rejects.toBe(taken)
  expect(sent).toEqual(['write', 'check'])
})

test('an error is not told when the check fails', async () => {
  const { adapter } = database(taken, 1)
  await expect(send(guardAdapter(adapter, undefined), runnable(true))).rejects.toMatchObject({
    problem: 'checkFailed',
    cause: taken,
  })
})

test('a check that depends on rows is judged before the write, in one state', async () => {
  const { adapter, sent } = database(taken, 0)
  await expect(send(guardAdapter(adapter, undefined), runnable(false))).rejects.toBe(taken)
  expect(sent).toEqual(['write', 'begin repeatable read', 'check', 'write', 'end'])
})

test('a check that cannot be computed counts as failed, and the log says why', async () => {
  const report = { code: '21000', text: 'two rows', detail: undefined, isAboutStatement: false }
  const twoRows = new GatewayError('dataError', 'two rows', { sqlState: '21000', report })
  const { adapter, sent } = database(taken, twoRows)
  await expect(send(guardAdapter(adapter, undefined), runnable(false))).rejects.toMatchObject({
    problem: 'checkFailed',
    sqlState: '44000',
    cause: twoRows,
    report,
  })
  expect(sent).toEqual(['write', 'begin repeatable read', 'check', 'end'])
})

test('a check that cannot be asked counts as failed', async () => {
  const { adapter, sent } = database(taken, 0)
  const ready = runnable(true, false)
  await expect(send(guardAdapter(adapter, undefined), ready)).rejects.toMatchObject({
    problem: 'checkFailed',
  })
  expect(sent).toEqual(['write'])
})

test('statements that run together are judged together, and their failure names its place', async () => {
  const { adapter, sent } = database(taken, 1)
  const together = await guardAdapter(adapter, undefined).runTogether([runnable(false)], {
    limits,
    isKept: true,
    run: (_item, go) => go({ rowShape: 'array', maxRows: 1, ...limits }),
  })
  expect(together).toMatchObject({ kind: 'failed', at: 0, error: { problem: 'checkFailed' } })
  expect(sent).toEqual(['begin usual', 'write', 'end', 'begin repeatable read', 'check', 'end'])
})

test('what is not kept is rolled back', async () => {
  const { adapter, sent } = database(undefined, 0)
  const together = await guardAdapter(adapter, undefined).runTogether([runnable(true)], {
    limits,
    isKept: false,
    run: (_item, go) => go({ rowShape: 'array', maxRows: 1, ...limits }),
  })
  expect(together).toEqual({ kind: 'done', answers: [result] })
  expect(sent).toEqual(['begin usual', 'write', 'end'])
})

test('a write is no cursor', async () => {
  const { adapter } = database(undefined, 0)
  const cursor = await guardAdapter(adapter, undefined).transaction(
    { ...limits, readOnly: false },
    (session) => session.open(runnable(true), { rowShape: 'cells', maxRows: 1, ...limits }),
  )
  expect(cursor).toBeUndefined()
})
