/** @module Converts a connection's URL to the driver's options. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { GatewayError } from '@engine/core/adapter'
import type { ConnectionOptions, SslOptions } from 'mysql2'

/** Statements that a connection of the service database keeps prepared. */
const mostStatements = 250

/** Timeout for a new connection, in milliseconds. */
const connectTimeout = 10_000

/**
 * Values are not converted: big integers, decimals, dates and documents arrive as text. The driver's own conversions (rounding,
 * time zones) and sending local files to the server are off.
 *
 * @param url `mysql://user:password@host:3306/database?ssl-mode=VERIFY_IDENTITY`
 * @throws {GatewayError} `invalidConfiguration` that names the fault; never quotes the URL.
 */
export function connectionOptions(url: string): ConnectionOptions {
  const parts = parse(url)
  const { searchParams } = parts
  const socketPath = searchParams.get('socket')
  const ssl = sslOptions(searchParams, parts.hostname)
  return {
    ...(socketPath === null
      ? { host: parts.hostname.replace(/^\[|\]$/g, ''), port: Number(parts.port || '3306') }
      : { socketPath }),
    user: decodeURIComponent(parts.username),
    password: decodeURIComponent(parts.password),
    database: databaseOf(url),
    ...(ssl === undefined ? {} : { ssl }),
    connectTimeout,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    multipleStatements: false,
    maxPreparedStatements: mostStatements,
    flags: ['FOUND_ROWS', '-LOCAL_FILES', '-CLIENT_QUERY_ATTRIBUTES'],
    connectAttributes: { program_name: 'engine' },
  }
}

/** @throws {GatewayError} `invalidConfiguration` when the URL names none. */
export function databaseOf(url: string): string {
  const name = decodeURIComponent(parse(url).pathname.slice(1))
  if (name === '') throw invalid('the URL of a MySQL connection names no database')
  return name
}

function parse(url: string): URL {
  const parts = URL.parse(url)
  if (parts === null) throw invalid('the URL of a MySQL connection is malformed')
  return parts
}

type SslMode = 'none' | 'encrypted' | 'authority' | 'identity'

/** Modes in the spelling of MySQL's programs and of PostgreSQL's, in lower case, without separators. */
const modes: ReadonlyMap<string, SslMode> = new Map<string, SslMode>([
  ['disable', 'none'],
  ['disabled', 'none'],
  ['false', 'none'],
  ['require', 'encrypted'],
  ['required', 'encrypted'],
  ['true', 'identity'],
  ['verifyca', 'authority'],
  ['verifyfull', 'identity'],
  ['verifyidentity', 'identity'],
])

const parameters: ReadonlySet<string> = new Set([
  'socket',
  'ssl',
  'ssl-mode',
  'sslmode',
  'ssl-ca',
  'sslrootcert',
  'ssl-cert',
  'sslcert',
  'ssl-key',
  'sslkey',
])

function sslOptions(search: URLSearchParams, host: string): SslOptions | undefined {
  for (const name of search.keys()) {
    if (!parameters.has(name)) throw invalid(`a MySQL connection has no parameter ${name}`)
  }
  const file = (...names: readonly string[]): string | undefined => {
    const path = names.map((name) => search.get(name)).find((value) => value !== null)
    return path === undefined || path === null ? undefined : readFile(path)
  }
  const ca = file('ssl-ca', 'sslrootcert')
  const cert = file('ssl-cert', 'sslcert')
  const key = file('ssl-key', 'sslkey')
  const said = search.get('ssl-mode') ?? search.get('sslmode') ?? search.get('ssl')
  const mode = said === null ? undefined : modes.get(said.toLowerCase().replaceAll(/[-_]/g, ''))
  if (said !== null && mode === undefined) {
    throw invalid('ssl-mode expects disabled, required, verify_ca or verify_identity')
  }
  const wanted = mode ?? (ca === undefined && cert === undefined ? 'none' : 'identity')
  if (wanted === 'none') return undefined
  if (wanted === 'identity' && isIP(host.replace(/^\[|\]$/g, '')) !== 0) {
    // The driver would compare the certificate with the name `localhost`.
    throw invalid('ssl-mode verify_identity needs the name of a host, not its address')
  }
  return {
    rejectUnauthorized: wanted !== 'encrypted',
    verifyIdentity: wanted === 'identity' && host !== '',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new GatewayError('invalidConfiguration', `cannot read ${path}`, { cause })
  }
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalidConfiguration', message)
}
