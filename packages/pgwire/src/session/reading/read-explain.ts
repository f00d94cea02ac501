/** @module EXPLAIN, from its tree. */
import type { PlanLineOptions } from '@engine/core/server'
import { wireError } from '../../errors/wire-error.ts'
import { textOfStatement } from '../../syntax/nested-text.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  literalOf,
  stringNode,
  textOf,
} from '../../syntax/syntax-node.ts'
import type {
  RouteStatement,
  SessionCommand,
  StatementText,
} from '../statements/client-statement.ts'
import { innerStatement } from '../statements/inner-statement.ts'
import { unsupported } from '../statements/refused-statement.ts'

/** @throws {GatewayError} 0A000 for options of later versions; 42601, 22023 for invalid options. */
export function readExplain(
  fields: Fields,
  text: StatementText,
  route: RouteStatement,
): SessionCommand {
  let options: PlanLineOptions = { format: 'text', isVerbose: false, hasCosts: true }
  for (const item of listOf(fields['options'])) {
    const option = fieldsOf(fieldsOf(item)['DefElem'])
    options = withOption(options, textOf(option['defname']) ?? '', option['arg'])
  }
  requireAnalyze(options)
  const statement = innerStatement(fields['query'], text, textOfStatement(text.sql), route)
  return { kind: 'explain', statement, options }
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
      throw wireError(
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
      throw unsupported(`EXPLAIN with the option ${name.toUpperCase()} is not supported`)
    default:
      throw wireError('42601', `unrecognized EXPLAIN option "${name}"`)
  }
}

function requireAnalyze({ isAnalyzed = false, named = {} }: PlanLineOptions): void {
  const option = (['wal', 'timing'] as const).find((name) => named[name] === true)
  if (isAnalyzed || option === undefined) return
  throw wireError('22023', `EXPLAIN option ${option.toUpperCase()} requires ANALYZE`)
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
      throw wireError('42601', `${name} requires a Boolean value`)
  }
}

function wordOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const literal = literalOf(value)
  const plain = fieldsOf(value)
  const integer = fieldsOf(plain['Integer'])['ival']
  if (plain['Integer'] !== undefined) return String(integer ?? 0)
  if (plain['Boolean'] !== undefined) return String(fieldsOf(plain['Boolean'])['boolval'] === true)
  return (
    literal?.type === 'null' ? undefined : (literal?.text ?? stringNode(value))
  )?.toLowerCase()
}
