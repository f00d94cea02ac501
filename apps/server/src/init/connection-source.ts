/** @module What a person answers to "which database?". */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { wrongArgument } from '../command-line/outcome.ts'

export interface ConnectionSource {
  /** For the configuration, without a schema. */
  readonly value: string
  /** It may hold a password: it belongs into a variable. */
  readonly isSecret: boolean
}

/**
 * Reads a URL, or the path of a SQLite file.
 *
 * @param given relative paths start at `from`.
 * @param folder of the configuration: paths in it start there.
 * @throws {GatewayError} `invalidConfiguration`: there is no such file.
 */
export function connectionSource(given: string, from: string, folder: string): ConnectionSource {
  const text = given.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { value: text, isSecret: true }
  const path = resolve(from, text.replace(/^(?:file|sqlite):/, ''))
  if (!existsSync(path)) {
    const hint = isPath(text) ? '' : ' (A server is named by a URL: postgres://…, mysql://…)'
    throw wrongArgument(`There is no file ${path}.${hint}`)
  }
  if (statSync(path).isDirectory()) throw wrongArgument(`${path} is a folder, not a SQLite file.`)
  const near = relative(folder, path)
  const shown = isAbsolute(near) || near.startsWith('..') ? path : near
  const isNamed = /\.(?:db|sqlite)$/.test(shown)
  return { value: isNamed ? shown : `file:${shown}`, isSecret: false }
}

/** Anything else may be the name of a database of a server. */
function isPath(text: string): boolean {
  return /[/\\]|^(?:file|sqlite):|\.(?:db|sqlite3?)$/.test(text)
}
