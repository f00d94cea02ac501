/** @module EXPLAIN, from its tree: PostgreSQL's options, and the text of the statement. */

import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import { forEachToken } from '../../compiler/sql/tokens.ts'
import { GatewayError } from '../../foundation/errors.ts'

export interface ExplainStatement {
  readonly options: PlanLineOptions
  /** The statement to be explained. */
  readonly sql: string
  /** Characters (code points) of the text before it. */
  readonly offset: number
}

/**
 * Reads the options of an EXPLAIN, and the statement that it is about.
 *
 * @param fields of the `ExplainStmt`
 * @param sql the text of the whole statement
 * @throws {GatewayError} 0A000 for options of later versions; 42601, 22023 for invalid options.
 */
export function readExplainStatement(
  { options: items }: { readonly options?: unknown },
  sql: string,
): ExplainStatement {
  let options: PlanLineOptions = { format: 'text', isVerbose: false, hasCosts: true }
  for (const item of Array.isArray(items) ? items : []) {
    const { defname, arg } = fieldsOf(fieldsOf(item)['DefElem'])
    options = withOption(options, typeof defname === 'string' ? defname : '', arg)
  }
  requireAnalyze(options)
  return { options, ...textOfStatement(sql) }
}

const formats = ['text', 'json', 'xml', 'yaml'] as const

function withOption(options: PlanLineOptions, name: string, value: unknown): PlanLineOptions {
  switch (name) {
    case 'verbose':
      return { ...options, isVerbose: isOn(name, value) }
    case 'costs':
      return { ...options, hasCosts: isOn(name, value) }
    case 'format': {
      const format = formats.find((known) => known === wordOf(value))
      if (format !== undefined) return { ...options, format }
      throw refusal(
        '22023',
        `unrecognized value for EXPLAIN option "format": "${wordOf(value) ?? ''}"`,
      )
    }
    case 'analyze':
      return { ...options, isAnalyzed: isOn(name, value) }
    case 'buffers':
    case 'settings':
    case 'summary':
    case 'timing':
    case 'wal':
      return { ...options, named: { ...options.named, [name]: isOn(name, value) } }
    case 'generic_plan':
    case 'memory':
    case 'serialize':
      if (!isOn(name, value)) return options
      throw new GatewayError(
        'unsupported',
        `EXPLAIN with the option ${name.toUpperCase()} is not supported`,
        { sqlState: '0A000' },
      )
    default:
      throw refusal('42601', `unrecognized EXPLAIN option "${name}"`)
  }
}

function requireAnalyze({ isAnalyzed = false, named = {} }: PlanLineOptions): void {
  const option = (['wal', 'timing'] as const).find((name) => named[name] === true)
  if (isAnalyzed || option === undefined) return
  throw refusal('22023', `EXPLAIN option ${option.toUpperCase()} requires ANALYZE`)
}

/** An option without a value is on. */
function isOn(name: string, value: unknown): boolean {
  switch (wordOf(value)) {
    case undefined:
    case 'true':
    case 'on':
    case '1':
      return true
    case 'false':
    case 'off':
    case '0':
    case 'none':
      return false
    default:
      throw refusal('42601', `${name} requires a Boolean value`)
  }
}

/** The value of an option as a word; the parser's forms of it are `String`, `Integer`, `Float`, `Boolean` and `A_Const`. */
function wordOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const fields = fieldsOf(value)
  const plain = { ...fields, ...fieldsOf(fields['A_Const']) }
  const string = fieldsOf(plain['String'] ?? plain['sval'])['sval']
  if (typeof string === 'string') return string.toLowerCase()
  const integer = plain['Integer'] ?? plain['ival']
  if (integer !== undefined) return String(fieldsOf(integer)['ival'] ?? 0)
  const truth = plain['Boolean'] ?? plain['boolval']
  if (truth !== undefined) return String(fieldsOf(truth)['boolval'] === true)
  return ''
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function refusal(sqlState: string, message: string): GatewayError {
  return new GatewayError('badRequest', message, { sqlState })
}

const statementWords: ReadonlySet<string> = new Set(
  'select insert update delete merge with values table create execute declare refresh'.split(' '),
)

/** The text after EXPLAIN and its options, which may be in parentheses. */
function textOfStatement(sql: string): Pick<ExplainStatement, 'sql' | 'offset'> {
  let depth = 0
  let words = 0
  let hasOptions = false
  let found: number | undefined
  forEachToken(sql, (kind, start, end) => {
    const isTop = depth === 0
    if (kind === 'open') depth += 1
    else if (kind === 'close') depth -= 1
    if (!isTop || found !== undefined) return
    if (kind === 'open') {
      // Options follow EXPLAIN directly, unless the statement itself is in parentheses.
      if (words === 1 && !hasOptions && !isQueryInside(sql.slice(end))) hasOptions = true
      else found = start
    } else if (kind === 'word') {
      words += 1
      if (statementWords.has(sql.slice(start, end).toLowerCase())) found = start
    }
  })
  const start = found ?? sql.length
  return { sql: sql.slice(start), offset: [...sql.slice(0, start)].length }
}

/** `explain (select 1)` has no options. */
function isQueryInside(rest: string): boolean {
  let first: string | undefined
  forEachToken(rest, (kind, start, end) => {
    if (kind !== 'open') first ??= rest.slice(start, end).toLowerCase()
  })
  return statementWords.has(first ?? '')
}
