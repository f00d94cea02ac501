/** @module `SELECT pg_sleep(…)`, alone or beside expressions that call no function. The arguments are a statement of their own. */

import { calledFunctions } from '../../syntax/called-functions.ts'
import { bracketsFrom } from '../../syntax/nested-text.ts'
import { statementRelations } from '../../syntax/statement-relations.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'
import type { SessionCommand, SleepColumn, StatementText } from '../statements/client-statement.ts'
import { tablelessStatement } from '../statements/tableless.ts'

/** The casts of the arguments, to the types of the functions' parameters. */
const casts: Readonly<Record<SleepColumn['name'], string>> = {
  pg_sleep: '::float8',
  pg_sleep_for: '::interval',
  pg_sleep_until: "::timestamptz at time zone 'UTC'",
}

export function isSleep(name: string): name is SleepColumn['name'] {
  return Object.hasOwn(casts, name)
}

/** The fields of a SELECT of one row; it has no others. */
const expectedFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

/**
 * `select pg_sleep($1), 7` → `select          ($1)::float8 as pg_sleep, 7`; undefined for any other statement. The first argument keeps
 * its position.
 */
export function readSleep(
  tree: unknown,
  select: Fields,
  { sql, offset, positionOf }: StatementText,
): SessionCommand | undefined {
  if (!/pg_sleep/i.test(sql)) return undefined
  if (Object.keys(select).some((field) => !expectedFields.has(field))) return undefined
  if (statementRelations(tree).length > 0) return undefined
  const targets = listOf(select['targetList']).map(targetOf)
  const sleeps = targets.flatMap((target, index) =>
    target.sleep ? [{ ...target.sleep, index }] : [],
  )
  if (sleeps.length === 0 || targets.some(({ isPlain }) => !isPlain)) return undefined
  const characters = [...sql]
  let computed = ''
  let end = 0
  for (const { name, isNamed, location } of sleeps) {
    const start = characters.slice(0, positionOf(location) - 1).join('').length
    const brackets = bracketsFrom(sql, start)
    const alias = isNamed ? '' : ` as ${name}`
    const argument = sql.slice(brackets.start, brackets.end)
    computed += `${sql.slice(end, start)}${' '.repeat(brackets.start - start)}${argument}`
    computed += `${casts[name]}${alias}`
    end = brackets.end
  }
  return {
    kind: 'sleep',
    sleeps: sleeps.map(({ name, index }) => ({ name, index })),
    statement: tablelessStatement(computed + sql.slice(end), offset),
  }
}

interface Target {
  /** It is a single call, or calls nothing. */
  readonly isPlain: boolean
  readonly sleep:
    | { readonly name: SleepColumn['name']; readonly isNamed: boolean; readonly location: number }
    | undefined
}

function targetOf(tree: unknown): Target {
  const { fields } = nodeOf(tree)
  const value = fields['val']
  const call = fieldsOf(fieldsOf(value)['FuncCall'])
  const path = stringNodes(call['funcname'])
  const name = path.at(-1) ?? ''
  const args = listOf(call['args'])
  const isBuiltin = path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog')
  const inside = [...calledFunctions(args)]
  if (isBuiltin && isSleep(name) && args.length === 1 && !inside.some(isSleep)) {
    const isNamed = textOf(fields['name']) !== undefined
    return { isPlain: true, sleep: { name, isNamed, location: Number(call['location'] ?? 0) } }
  }
  return { isPlain: calledFunctions(value).size === 0, sleep: undefined }
}
