/** @module An explanation as text for a terminal. */

import type {
  CallerExplanation,
  LimitsExplanation,
  Measured,
  PermissionBlock,
  PermissionVerdict,
  Refusal,
  SentParameter,
  SentStatement,
  TableExplanation,
} from '@engine/contract/admin-api'
import type { StatementExplanation } from '@engine/core'
import { indented, labelled, names, section } from './lines.ts'

export function formatExplanation(explanation: StatementExplanation): string {
  const { answer, caller, connection, tables, limits, statements } = explanation
  const parts: readonly (readonly string[])[] = [
    answer.outcome === 'runs'
      ? [`would run${answer.isWrite ? ' (it writes)' : ''}`]
      : [`refused by ${answer.stage}`, ...indented(formatRefusal(answer))],
    section('caller', formatCaller(caller)),
    ...tables.map(formatTable),
    section('limits', formatLimits(limits)),
    ...statements.map((statement, i) =>
      section(
        `sent to ${connection?.name} (${connection?.kind}), statement ${i + 1} of ${statements.length}`,
        formatStatement(statement),
      ),
    ),
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** Status and code, then the messages for both kinds of clients. */
export function formatRefusal(refusal: Refusal): readonly string[] {
  const { status, error, message, publicMessage, position, details } = refusal
  const rows: [string, string][] = [
    ['answer', `${status} ${error}`],
    ['message', message],
  ]
  if (publicMessage !== message) rows.push(['in production', publicMessage])
  if (position !== undefined) rows.push(['position', String(position)])
  if (details !== undefined && Object.keys(details).length > 0) {
    rows.push(['details', JSON.stringify(details)])
  }
  return labelled(rows)
}

function formatCaller({
  kind,
  roles,
  hasFullRights,
  fields,
}: CallerExplanation): readonly string[] {
  return labelled([
    ['who', kind],
    ['roles', names(roles)],
    ...(hasFullRights ? [['rights', 'full: permissions are not asked'] as const] : []),
    ...fields.map(({ field, type, state, value }) => {
      const shown =
        state === 'present' ? valueText(value) : `${state}: what asks for it is never true`
      return [field, `${shown} (${type})`] as const
    }),
  ])
}

function valueText(value: SentParameter['value']): string {
  return value === undefined ? 'present' : JSON.stringify(value)
}

function formatTable(table: TableExplanation): readonly string[] {
  const { reference, operation, alias, isAdmitted, reason, permissions, virtualTable, write } =
    table
  const place = `table ${reference}${alias === undefined ? '' : ` (${alias})`}`
  const verdict = isAdmitted ? 'admitted' : `refused: ${reason}`
  const rows: [string, string][] = []
  if (virtualTable !== undefined) {
    const { columns, hidden, masked, rows: visible, pushed, barrier } = virtualTable
    rows.push(['columns', names(columns)])
    if (hidden.length > 0) rows.push(['hidden', names(hidden)])
    for (const { column, visibleWhen } of masked) {
      rows.push(['masked', `${column} is null unless ${visibleWhen}`])
    }
    rows.push(['rows', rowsText(visible)])
    for (const condition of pushed) rows.push(['evaluated with', condition])
    if (barrier !== undefined)
      rows.push(['barrier', `${barrier.isSet ? 'yes' : 'no'}: ${barrier.reason}`])
  }
  if (write !== undefined) {
    if (operation !== 'delete') rows.push(['writes', names(write.columns)])
    for (const [column, value] of Object.entries(write.presets)) {
      rows.push(['presets', `${column} = ${value}`])
    }
    if (operation !== 'insert') rows.push(['rows', rowsText(write.rows)])
    if (operation !== 'delete') rows.push(['check', rowsText(write.check)])
  }
  const width = Math.max(...permissions.map(({ name }) => name.length))
  return section(`${place} ${table.table}: ${operation}, ${verdict}`, [
    ...permissions.map((permission) => formatVerdict(permission, width)),
    ...(rows.length === 0 ? [] : labelled(rows)),
  ])
}

const marks = { grants: '+', refuses: '-', otherRoles: '.' } as const

function formatVerdict(permission: PermissionVerdict, width: number): string {
  const { name, verdict, reason, block, restrict } = permission
  const texts = [
    ...(reason === undefined ? [] : [reason]),
    ...(block === undefined ? [] : [blockText(block)]),
    ...(restrict === undefined ? [] : [`narrows all of them to ${restrict}`]),
  ]
  return `${marks[verdict]} ${name.padEnd(width)}  ${texts.join('; ')}`
}

function blockText({ columns, where, check, presets, limit, aggregate }: PermissionBlock): string {
  const texts: string[] = []
  if (columns !== undefined) texts.push(names(columns))
  if (where !== undefined) texts.push(`rows: ${rowsText(where)}`)
  if (check !== undefined) texts.push(`check: ${rowsText(check)}`)
  for (const [column, value] of Object.entries(presets ?? {})) {
    texts.push(`preset ${column} = ${value}`)
  }
  if (limit !== undefined) texts.push(`at most ${limit} rows`)
  if (aggregate === false) texts.push('no aggregates')
  return texts.join('; ')
}

function rowsText(condition: string): string {
  switch (condition) {
    case 'true':
      return 'all'
    case 'false':
    case 'unknown':
      return 'none'
    default:
      return condition
  }
}

function formatLimits(limits: LimitsExplanation): readonly string[] {
  const { maxRows, permissionLimit, queryTimeoutMs } = limits
  const counted = ({ allowed, measured = 0 }: Measured) => `${measured} of ${allowed}`
  return labelled([
    ['rows', `${maxRows} at most`],
    ...(permissionLimit === undefined
      ? []
      : [['by permission', `${permissionLimit} rows at most`] as const]),
    ['time', `${queryTimeoutMs} ms at most`],
    ['relation depth', counted(limits.relationDepth)],
    ['filter nesting', counted(limits.filterNesting)],
    ['filter conditions', counted(limits.filterConditions)],
  ])
}

function formatStatement({ sql, parameters, plan }: SentStatement): readonly string[] {
  const rows = parameters.map(({ index, source, type, value }) => {
    const shown = value === undefined ? '' : ` = ${JSON.stringify(value)}`
    return [`${index}`, `${source}${shown} (${type})`] as const
  })
  return [
    sql,
    ...(rows.length === 0 ? [] : labelled(rows)),
    ...(plan === undefined ? [] : section('plan', plan)),
  ]
}
