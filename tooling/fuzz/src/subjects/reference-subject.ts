/** @module PostgreSQL with a policy's views: what one caller should see and be able to do. */
import type { Caller } from '@engine/core'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { coverageOf } from '../policy/grants.ts'
import type { Policy } from '../policy/random-policy.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import type { World } from '../world/world.ts'
import type { DirectSubject } from './direct-subject.ts'
import type { Outcome } from './subject.ts'

export interface ReferenceCaller {
  readonly caller: Caller
  readonly schema: string
  readonly policy: Policy
  readonly world: World
}

const denied = {
  kind: 'refused',
  status: 403,
  message: 'denied',
  sqlState: '42501',
} as const satisfies Outcome
const checkFailed: Outcome = { kind: 'refused', status: 422, message: 'check', sqlState: '44000' }

/** The statement as it reads on the views of a caller. */
export function printForReference(
  { tree }: Pick<GeneratedStatement, 'tree'>,
  schema: string,
): PrintedStatement {
  return printTree(tree, {
    side: 'reference',
    table: (name, isTarget) => `${schema}.${isTarget ? 'w_' : ''}${name}`,
  })
}

/** Runs a statement as a caller; a write is rolled back. */
export async function runOnReference(
  subject: DirectSubject,
  statement: GeneratedStatement,
  reference: ReferenceCaller,
): Promise<Outcome> {
  const { world, policy, caller, schema } = reference
  const printed = printForReference(statement, schema)
  const settings: string[] = []
  for (const facts of statement.writes) {
    const coverage = coverageOf(policy, caller, world, facts)
    if (coverage.kind === 'denied') return denied
    const list = (items: readonly (string | number)[]) => `,${items.join(',')},`
    const entries = {
      '': facts.operation === 'lock' ? 'update' : facts.operation,
      _by: list(coverage.by),
      _set: list(facts.columns),
      _preset: list(Object.keys(coverage.preset)),
    }
    for (const [suffix, value] of Object.entries(entries)) {
      settings.push(`set_config('fuzz.${facts.table}${suffix}', '${value}', true)`)
    }
  }
  if (statement.writes.length === 0) return asCaller(await subject.run(printed, false))
  const { client } = subject
  await client.query('begin')
  try {
    await client.query(`select ${settings.join(', ')}`)
    const outcome = asCaller(await subject.run(printed, false))
    if (outcome.kind !== 'rows' || !statement.isWrite) return outcome
    await client.query('reset role')
    const bad = statement.writes
      .filter(({ operation }) => operation === 'insert' || operation === 'update')
      .map(({ table }) => `select id from ${schema}.bad_${table}`)
    if (bad.length > 0 && (await subject.rows(bad.join(' union all '))).length > 0)
      return checkFailed
    return { ...outcome, tables: await subject.dump() }
  } finally {
    await client.query('rollback')
  }
}

/** What a missing view or column says to someone who writes views is a denial to a caller. */
function asCaller(outcome: Outcome): Outcome {
  if (outcome.kind === 'rows') return outcome
  return ['42P01', '42703', '42501'].includes(outcome.sqlState ?? '')
    ? { ...denied, message: outcome.message }
    : outcome
}
