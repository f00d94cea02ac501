/** @module Parses the command line. */
import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { type Format, formats, type GenerateOptions } from '../generate-options.ts'

/** The options for `node:util`, and their defaults. */
const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  out: { type: 'string' },
  stdout: { type: 'boolean' },
  format: { type: 'string', default: 'types' },
  connection: { type: 'string', multiple: true },
  check: { type: 'boolean' },
  watch: { type: 'boolean' },
  interval: { type: 'string', default: '2' },
  'allow-incomplete': { type: 'boolean' },
  'drizzle-version': { type: 'string', default: '0' },
  bigint: { type: 'string', default: 'bigint' },
  dates: { type: 'string', default: 'date' },
} as const

/** Shown by `--help`. */
export const argumentDefinitions: ArgsDef = {
  url: { type: 'string', description: 'Base address of the engine', valueHint: 'URL' },
  token: {
    type: 'string',
    description: 'Token of GET /schema; better in ENGINE_SCHEMA_TOKEN, where no other user sees it',
    valueHint: 'TOKEN',
  },
  out: { type: 'string', description: 'File to write', valueHint: 'FILE' },
  stdout: { type: 'boolean', description: 'Print instead of writing a file' },
  format: {
    type: 'string',
    description: `What to generate: ${formats.join(', ')}`,
    valueHint: 'FORMAT',
    default: options.format.default,
  },
  connection: {
    type: 'string',
    description: 'Only this one; may be repeated. With exactly one, Drizzle tables have no prefix',
    valueHint: 'NAME',
  },
  check: {
    type: 'boolean',
    description: 'Write nothing; exit with 1 and a diff if FILE is out of date',
  },
  watch: { type: 'boolean', description: 'Go on, and write whenever the schema changes' },
  interval: {
    type: 'string',
    description: 'Seconds between looks with --watch',
    valueHint: 'SECONDS',
    default: options.interval.default,
  },
  'allow-incomplete': {
    type: 'boolean',
    description: 'Generate even where the engine could not reach a database yet',
  },
  'drizzle-version': {
    type: 'string',
    description: '0 for drizzle-orm 0.45, 1 for 1.0',
    valueHint: '0|1',
    default: options['drizzle-version'].default,
  },
  bigint: {
    type: 'string',
    description: 'Drizzle: what 64-bit integers are, bigint (exact) or number',
    valueHint: 'MODE',
    default: options.bigint.default,
  },
  dates: {
    type: 'string',
    description: 'Drizzle: what timestamps are, date (a Date) or string (exact)',
    valueHint: 'MODE',
    default: options.dates.default,
  },
}

/** The command. */
export interface Task {
  /** URL of `GET /schema`. */
  readonly url: URL
  readonly token: string | undefined
  readonly generate: GenerateOptions
  /** undefined: to standard output. */
  readonly out: string | undefined
  readonly mode: 'once' | 'check' | 'watch'
  readonly intervalMs: number
  readonly allowIncomplete: boolean
}

export type ReadTask =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'wrong'; readonly message: string }

/** @param fallbackToken from the environment. */
export function readTask(words: readonly string[], fallbackToken: string | undefined): ReadTask {
  const parsed = parseWords(words)
  if ('message' in parsed) return wrong(parsed.message)
  const { values } = parsed
  const url = schemaUrl(values.url)
  if (typeof url === 'string') return wrong(url)
  const format = formats.find((name) => name === values.format)
  if (format === undefined) return wrong(`--format is one of ${formats.join(', ')}`)
  const target = targetFault(values)
  if (target !== undefined) return wrong(target)
  const generate = generateOptions(format, values)
  if (typeof generate === 'string') return wrong(generate)
  const seconds = Number(values.interval)
  if (!(seconds >= 0.1 && seconds <= 86_400)) return wrong('--interval is a number of seconds')
  return {
    kind: 'task',
    task: {
      url,
      token: values.token ?? fallbackToken,
      generate,
      out: values.out,
      mode: values.check === true ? 'check' : values.watch === true ? 'watch' : 'once',
      intervalMs: seconds * 1_000,
      allowIncomplete: values['allow-incomplete'] === true,
    },
  }
}

function wrong(message: string): ReadTask {
  return { kind: 'wrong', message }
}

/** Strict: an option that is misspelt, or lacks its value, is an error. */
function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [sentence = ''] = error.message.split(/(?<=\.) |\. To /)
    return { message: sentence }
  }
}

type Values = Extract<ReturnType<typeof parseWords>, { readonly values: object }>['values']

/** Returns an error sentence for an invalid value. */
function schemaUrl(text: string | undefined): URL | string {
  if (text === undefined) return 'Say where the engine is: --url http://127.0.0.1:3001'
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `--url expects an address such as http://127.0.0.1:3001, not ${text}`
  }
  if (url.username !== '' || url.password !== '') {
    return '--url must not hold a password; the token stands in --token or ENGINE_SCHEMA_TOKEN'
  }
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/schema') ? path : `${path}/schema`
  url.search = ''
  url.hash = ''
  return url
}

function targetFault({ out, stdout, check, watch }: Values): string | undefined {
  if (out !== undefined && stdout === true) return '--out and --stdout exclude each other'
  if (out === '') return '--out expects a file'
  if (check === true && watch === true) return '--check and --watch exclude each other'
  if (out === undefined && stdout !== true) return 'Say where to write: --out FILE, or --stdout'
  if (stdout === true && (check === true || watch === true)) {
    return `--${check === true ? 'check' : 'watch'} needs --out FILE`
  }
  return undefined
}

function generateOptions(format: Format, values: Values): GenerateOptions | string {
  const { bigint, connection, dates, 'drizzle-version': version } = values
  if (version !== '0' && version !== '1') return '--drizzle-version is 0 or 1'
  if (bigint !== 'bigint' && bigint !== 'number') return '--bigint is bigint or number'
  if (dates !== 'date' && dates !== 'string') return '--dates is date or string'
  const chosen = connection === undefined ? {} : { connections: connection }
  return { format, ...chosen, drizzleVersion: version === '0' ? 0 : 1, bigint, dates }
}
