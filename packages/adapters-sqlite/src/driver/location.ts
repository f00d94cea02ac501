/** @module Converts a user's path or `file:` URL to the location that is opened. */
import { resolve } from 'node:path'
import { GatewayError } from '@engine/core/adapter'

export interface DatabaseLocation {
  /** An absolute path, or `:memory:`. */
  readonly filename: string
  /** A private database that exists in one connection only. */
  readonly isMemory: boolean
  readonly readOnly: boolean
  /** A file that does not exist is created. */
  readonly create: boolean
}

const memory: DatabaseLocation = {
  filename: ':memory:',
  isMemory: true,
  readOnly: false,
  create: true,
}

/**
 * Reads `./shop.db`, `:memory:`, `file:shop.db?mode=ro`, `file:///srv/shop.sqlite`, `file::memory:`. Allowed parameters of a URL:
 * `mode` (`ro`, `rw`, `rwc`, `memory`), `immutable`, which is read-only, and `cache`, which is ignored.
 *
 * @throws {GatewayError} `invalidConfiguration` for any other text.
 */
export function databaseLocation(url: string): DatabaseLocation {
  if (url === ':memory:') return memory
  if (url === '' || url.includes('\0')) throw refused('it is empty or has a zero byte')
  if (!/^file:/i.test(url)) return onDisk(resolve(url), {})
  const [, rest = '', query = ''] = /^file:([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? []
  const options = readOptions(query)
  const path = decoded(withoutAuthority(rest))
  if (options.mode === 'memory' || path === ':memory:') return memory
  if (path === '' || path.includes('\0')) throw refused('it names no file')
  return onDisk(resolve(path), options)
}

interface UrlOptions {
  readonly mode?: string | undefined
  readonly isImmutable?: boolean
}

const modes = ['ro', 'rw', 'rwc', 'memory']

function readOptions(query: string): UrlOptions {
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (!['mode', 'immutable', 'cache'].includes(name)) throw refused(`"${name}" is not known`)
  }
  const mode = parameters.get('mode') ?? undefined
  if (mode !== undefined && !modes.includes(mode)) throw refused(`mode is ${modes.join(', ')}`)
  const immutable = parameters.get('immutable') ?? '0'
  return { mode, isImmutable: ['1', 'true', 'yes', 'on'].includes(immutable) }
}

function onDisk(path: string, { mode, isImmutable = false }: UrlOptions): DatabaseLocation {
  return {
    filename: path,
    isMemory: false,
    readOnly: mode === 'ro' || isImmutable,
    create: mode === 'rwc',
  }
}

/** `///srv/a.db` and `//localhost/srv/a.db` are `/srv/a.db`. */
function withoutAuthority(path: string): string {
  if (!path.startsWith('//')) return path
  const end = path.indexOf('/', 2)
  const authority = path.slice(2, end < 0 ? undefined : end)
  if (authority !== '' && authority !== 'localhost') throw refused('the file is on another host')
  return end < 0 ? '' : path.slice(end)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    throw refused('a % is not followed by two hexadecimal digits', error)
  }
}

function refused(reason: string, cause?: unknown): GatewayError {
  return new GatewayError('invalidConfiguration', `Not a SQLite path or file: URL: ${reason}.`, {
    cause,
  })
}
