/** @module The matrix of permissions, and its changes, as text for a terminal. */

import type { MatrixEntry, MatrixGrant, PermissionMatrix } from '@engine/contract/admin-api'
import type { MatrixChange } from '@engine/core/server'
import { indented, labelled, names } from './lines.ts'

/** One block for each role, one line for each operation; tables that a role cannot use at all are listed at its end. */
export function formatMatrix({ isOpen, roles, tables, entries }: PermissionMatrix): string {
  const blocks = roles.map((role) => {
    const own = entries.filter((entry) => entry.role === role)
    const used = tables.filter((table) => own.some((entry) => entry.table === table))
    const closed = tables.filter((table) => !used.includes(table))
    return [
      role === '*' ? '* (any authenticated caller)' : role,
      ...indented([
        ...used.flatMap((table) => [
          table,
          ...indented(formatEntries(own.filter((entry) => entry.table === table))),
        ]),
        ...(closed.length === 0 ? [] : [`nothing on ${names(closed)}`]),
      ]),
    ].join('\n')
  })
  const heading = isOpen ? [openMode] : blocks.length === 0 ? ['No permissions.'] : []
  return `${[...heading, ...blocks].join('\n\n')}\n`
}

const openMode = 'Open mode: there is no auth and no permission, everyone may do everything.'

function formatEntries(entries: readonly MatrixEntry[]): readonly string[] {
  return labelled(entries.map((entry) => [entry.operation, entryLines(entry).join('\n')] as const))
}

/** The rights of an entry, one line for each fact. Permissions are not named: see `explain`. */
function entryLines({ operation, grants, restrict, masked }: MatrixEntry): readonly string[] {
  const lines = new Set(grants.map((grant) => grantText(operation, grant)))
  return [
    ...lines,
    ...masked.map(({ column, visibleWhen }) => `${column} is null unless ${visibleWhen}`),
    ...restrict.map((condition) => `only where ${condition}`),
  ]
}

function grantText(operation: MatrixEntry['operation'], grant: MatrixGrant): string {
  const { columns, where, check, presets = {}, limit, aggregate } = grant
  const texts: string[] = []
  if (columns !== undefined) texts.push(columns === '*' ? '*' : `(${columns.join(', ')})`)
  if (operation !== 'insert') texts.push(where === undefined ? 'all rows' : `where ${where}`)
  else if (check === undefined) texts.push('any row')
  if (check !== undefined && check !== where) texts.push(`check ${check}`)
  for (const [column, value] of Object.entries(presets)) texts.push(`preset ${column} = ${value}`)
  if (limit !== undefined) texts.push(`at most ${limit} rows`)
  if (aggregate === false) texts.push('no aggregates')
  return texts.join(', ')
}

/** A matrix and its configuration file. */
export interface NamedMatrix {
  readonly name: string
  readonly matrix: PermissionMatrix
}

/** Like a unified diff: `-` is a right in `before`, `+` a right in `after`. */
export function formatMatrixDiff(
  changes: readonly MatrixChange[],
  before: NamedMatrix,
  after: NamedMatrix,
): string {
  const opened = [
    ...(before.matrix.isOpen ? [`- ${openMode}`] : []),
    ...(after.matrix.isOpen ? [`+ ${openMode}`] : []),
  ]
  const modes = before.matrix.isOpen === after.matrix.isOpen ? [] : opened
  if (changes.length === 0 && modes.length === 0) return 'No difference.\n'
  const blocks = changes.map((change) => {
    const { role, table, operation } = change
    const old = change.before === undefined ? ['nothing'] : entryLines(change.before)
    const fresh = change.after === undefined ? ['nothing'] : entryLines(change.after)
    return [
      `${role}: ${operation} ${table}`,
      ...old.filter((line) => !fresh.includes(line)).map((line) => `- ${line}`),
      ...fresh.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
    ].join('\n')
  })
  return `--- ${before.name}\n+++ ${after.name}\n\n${[...modes, ...blocks].join('\n\n')}\n`
}
