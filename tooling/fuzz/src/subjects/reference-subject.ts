/** @module PostgreSQL with a policy's views: the data that one caller may see and change. */
import type { Caller } from '@engine/core'
import { quoted } from '../grammar/literals.ts'
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { WriteFacts } from '../grammar/write.ts'
import { coverageOf, permissionsOf } from '../policy/grants.ts'
import type { Policy } from '../policy/random-policy.ts'
import { type PrintedStatement, printTree, type Tree } from '../tree/tree.ts'
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

/** The statement in the form for the views of a caller. */
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
  const { schema } = reference
  const printed = printForReference(statement, schema)
  const settings: string[] = []
  for (const facts of statement.writes) {
    const entries = settingsOf(facts, reference)
    if (entries === undefined) return denied
    for (const [suffix, value] of Object.entries(entries)) {
      settings.push(`set_config('fuzz.${facts.table}${suffix}', ${quoted(value)}, true)`)
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

/** The facts about the statement that the triggers of a table need; undefined when it is denied. */
function settingsOf(
  facts: WriteFacts,
  { world, policy, caller, schema }: ReferenceCaller,
): Readonly<Record<string, string>> | undefined {
  const coverage = coverageOf(policy, caller, world, facts)
  if (coverage.kind === 'denied') return undefined
  const list = (items: readonly (string | number)[]) => `,${items.join(',')},`
  const entries = {
    '': facts.operation === 'lock' ? 'update' : facts.operation,
    _by: list(coverage.by),
    _set: list(facts.columns),
    _preset: list(Object.keys(coverage.preset)),
    _updateby: list(coverage.by),
    _updatepreset: '',
    _conflict: '',
    _conflictset: '',
    _conflictfrom: '',
    _conflictwhere: '',
  }
  const { conflict, table, operation } = facts
  if (conflict === undefined || operation !== 'insert') return entries
  // The grammar names readable keys; without a key the right to read the table is enough, even without any column.
  if (permissionsOf(policy, caller, table).every(({ select }) => select === undefined)) {
    return undefined
  }
  const target = conflict.target ?? ''
  if (conflict.columns.length === 0) return { ...entries, _conflict: `nothing:${target}` }
  const update = coverageOf(policy, caller, world, {
    table,
    operation: 'update',
    columns: conflict.columns,
    conflict: undefined,
  })
  if (update.kind === 'denied') return undefined
  const text = (tree: Tree) =>
    printTree(tree, {
      side: 'reference',
      isInline: true,
      table: (name) => `${schema}.${name}`,
    }).sql
  return {
    ...entries,
    _conflict: `update:${target}`,
    _updateby: list(update.by),
    _updatepreset: list(Object.keys(update.preset)),
    _conflictset: conflict.columns
      .map((column, i) => `${column} = ${text(conflict.values[i] ?? 'null')}`)
      .join(', '),
    _conflictfrom: conflict.alias,
    _conflictwhere: conflict.where === undefined ? 'true' : text(conflict.where),
  }
}

/** A missing view or column counts as a denial. */
function asCaller(outcome: Outcome): Outcome {
  if (outcome.kind === 'rows') return outcome
  return ['42P01', '42703', '42501'].includes(outcome.sqlState ?? '')
    ? { ...denied, message: outcome.message }
    : outcome
}
