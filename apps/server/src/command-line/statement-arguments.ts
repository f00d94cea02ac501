/** @module The arguments of `explain` and `simulate`: a statement, its parameters, and its caller. */
import { text as readAll } from 'node:stream/consumers'
import { anonymous, type Caller, type Engine } from '@engine/core'
import type { ArgsDef } from 'citty'
import { wrongArgument } from './outcome.ts'
import { callerOfToken, parseCallerText, parseJson } from './parse-caller.ts'
import type { Options } from './read-options.ts'

export const statementArguments: ArgsDef = {
  sql: {
    type: 'positional',
    required: false,
    description: 'the statement; - reads it from standard input',
  },
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  as: {
    type: 'string',
    description: 'who asks: {"roles":["customer"],"fields":{"customer_id":7}}, admin or anonymous',
  },
  token: { type: 'string', description: 'who asks, by a bearer token' },
  param: {
    type: 'string',
    description: 'value of the next $n: JSON, else a text; once for each, --param=-1 for a minus',
  },
  params: { type: 'string', description: 'all values as a JSON list' },
  json: { type: 'boolean', description: 'print JSON' },
}

/** A statement from a command line. */
export interface StatementArguments {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** @throws {GatewayError} `invalidConfiguration`. */
export async function readStatement(options: Options): Promise<StatementArguments> {
  const [given] = options.positionals
  if (given === undefined) throw wrongArgument('Say which statement (see --help)')
  const sql = given === '-' ? await readAll(process.stdin) : given
  return { sql, params: readParams(options) }
}

function readParams(options: Options): readonly unknown[] {
  const single = options.texts('param')
  const list = options.text('params')
  if (list === undefined) return single.map(looseValue)
  if (single.length > 0) throw wrongArgument('Use --param or --params, not both')
  const values = parseJson(list, '--params')
  if (Array.isArray(values)) return values
  throw wrongArgument('--params: expects a JSON list')
}

/** `7`, `true`, `null`, `"7"` and `[1]` are read as JSON; an argument that is not JSON is a text. */
function looseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The caller of the statement. It is required where callers authenticate; in open mode there is only one.
 *
 * @throws {GatewayError} `invalidConfiguration`; `unauthorized` for a token that is not valid.
 */
export async function readCaller(options: Options, { settings }: Engine): Promise<Caller> {
  const [as, token] = [options.text('as'), options.text('token')]
  if (as !== undefined && token !== undefined) throw wrongArgument('Use --as or --token, not both')
  if (token !== undefined) return callerOfToken(token, settings)
  if (as !== undefined) return parseCallerText(as)
  if (settings.auth === undefined) return anonymous
  throw wrongArgument(
    `Say who asks: --as '{"roles":[…],"fields":{…}}', --as admin, or --token (see --help)`,
  )
}
