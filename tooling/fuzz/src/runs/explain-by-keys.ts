/**
 * @module Differences in the time of a key check. PostgreSQL checks a unique key after each row that an UPDATE changes:
 * whether a row conflicts with one that is changed later depends on their order.
 */
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { tableNamed, type World, type WorldTable } from '../world/world.ts'
import { compareOutcomes } from './compare-outcomes.ts'

export interface KeysExplained {
  readonly subject: DirectSubject
  readonly world: Pick<World, 'tables'>
  readonly statement: GeneratedStatement
  readonly expected: Outcome
  readonly actual: Outcome
}

/** Returns whether PostgreSQL with deferred key checks gives the same answer and leaves the same tables. */
export async function explainByKeys({
  subject,
  world,
  statement,
  expected,
  actual,
}: KeysExplained): Promise<boolean> {
  if (expected.kind !== 'refused' || expected.sqlState !== '23505') return false
  const { client } = subject
  await client.query('begin')
  try {
    await client.query(lateKeys(statement, world))
    const outcome = await subject.run(printed(statement), false)
    if (outcome.kind !== 'rows') return false
    const late = { ...outcome, tables: await subject.dump() }
    return compareOutcomes(late, actual, statement.isOrdered) === undefined
  } finally {
    await client.query('rollback')
  }
}

function printed({ tree }: GeneratedStatement): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

/** Makes the keys that the statement updates deferrable: they are checked at its end. */
function lateKeys({ writes }: GeneratedStatement, { tables }: Pick<World, 'tables'>): string {
  return writes
    .filter(({ operation }) => operation === 'update')
    .flatMap(({ table: name, columns }) => {
      const table = tableNamed({ tables }, name)
      return keysOf(table)
        .filter(({ column }) => columns.includes(column))
        .map(
          ({ column, constraint, kind }) =>
            `alter table main.${name} drop constraint ${constraint} cascade, add constraint ${constraint} ${kind} (${column}) deferrable initially immediate;`,
        )
    })
    .join(' ')
}

interface Key {
  readonly column: string
  readonly constraint: string
  readonly kind: 'primary key' | 'unique'
}

function keysOf({ name, unique }: WorldTable): readonly Key[] {
  const primary: Key = { column: 'id', constraint: `${name}_pkey`, kind: 'primary key' }
  return unique === undefined
    ? [primary]
    : [primary, { column: unique, constraint: `${name}_${unique}_key`, kind: 'unique' }]
}
