import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GatewayError } from '@engine/core'
import { jsonShape, moduleProblem, shapeProblem } from '@engine/core/server'
import { loadEnvFile } from '../reload/env-file.ts'
import { trackImports } from '../reload/local-modules.ts'
import type { ConfigFile } from './define-config.ts'
import { loadProblem } from './load-problem.ts'
import { offerOwnPackages } from './own-packages.ts'

const fileNames = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `engine.config.${extension}`,
)

/**
 * Finds the configuration file: the given path, else `ENGINE_CONFIG`, else `engine.config.{ts,mts,js,mjs,json}` in the
 * directory.
 *
 * @returns its absolute path, or undefined when there is none.
 */
export function findConfig(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
  directory: string,
): string | undefined {
  const named = given ?? environment['ENGINE_CONFIG']
  if (named !== undefined && named !== '') return resolve(directory, named)
  return fileNames.map((name) => resolve(directory, name)).find((path) => existsSync(path))
}

/**
 * The embedded demo has public passwords: in production it is served only on explicit request.
 *
 * @param path of `findConfig`.
 * @throws {GatewayError} `invalidConfiguration` when production has no configuration file.
 */
export function requireConfig(path: string | undefined, environment: NodeJS.ProcessEnv): void {
  if (path !== undefined || environment['NODE_ENV'] !== 'production') return
  throw new GatewayError(
    'invalidConfiguration',
    'There is no configuration file, and production needs one: name it with --config or ENGINE_CONFIG. (--demo serves the embedded demo.)',
  )
}

/**
 * Loads a `.ts`, `.js` or `.json` file. In JSON, texts may hold `${NAME}` for environment variables and `${file:PATH}` for
 * the content of another file, without its last line break; relative paths start at the folder of the configuration file.
 * Variables of a file `.env` beside it are set where the environment does not set them by itself; they have priority over those of
 * a `.env` in the working directory.
 *
 * @param isAgain reloads a module that was loaded before, with the files that it imports by path.
 * @param files receives the files that the configuration comes from.
 * @throws {GatewayError} `invalidConfiguration` when the file is missing, broken, or names a variable that is not set.
 */
export async function loadConfig(
  path: string,
  environment: NodeJS.ProcessEnv,
  isAgain: boolean = false,
  files?: Set<string>,
): Promise<ConfigFile> {
  files?.add(path)
  requireFile(path)
  loadEnvFile(join(dirname(path), '.env'), environment)
  const loaded = path.endsWith('.json')
    ? await loadJson(path, environment, files)
    : await defaultOf(path, isAgain, files)
  const problem = shapeProblem(loaded)
  if (problem !== undefined) {
    throw new GatewayError('invalidConfiguration', `${path}: the configuration ${problem}.`)
  }
  return loaded as ConfigFile
}

/** @throws {GatewayError} `invalidConfiguration`. */
function requireFile(path: string): void {
  if (existsSync(path)) return
  throw new GatewayError('invalidConfiguration', `There is no file ${path}.`)
}

async function defaultOf(
  path: string,
  isAgain: boolean,
  files: Set<string> | undefined,
): Promise<unknown> {
  const module = await loadModule(path, isAgain, files)
  if ('default' in module) return module.default
  throw new GatewayError('invalidConfiguration', `${path} ${moduleProblem(module)}.`)
}

/** The exports of a module. @throws {GatewayError} `invalidConfiguration`. */
export async function loadModule(
  path: string,
  isAgain: boolean = false,
  files?: Set<string>,
): Promise<object> {
  requireFile(path)
  offerOwnPackages()
  const url = pathToFileURL(path)
  const imported = trackImports(url.href)
  // Node caches modules by their URL.
  if (isAgain) url.searchParams.set('again', randomUUID())
  try {
    return (await import(url.href)) as object
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} cannot be loaded: ${await loadProblem(cause, imported)}`,
      { cause },
    )
  } finally {
    for (const file of imported) files?.add(file)
  }
}

async function loadJson(
  path: string,
  environment: NodeJS.ProcessEnv,
  seen: Set<string> | undefined,
): Promise<unknown> {
  const text = withoutMark(await readFile(path, 'utf8'))
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} is not valid JSON: ${messageOf(cause)}${commentHint(text)}`,
      { cause },
    )
  }
  const { repeatedKey } = jsonShape(text)
  if (repeatedKey !== undefined) {
    throw new GatewayError('invalidConfiguration', `${path} names "${repeatedKey}" twice.`)
  }
  const missing: Missing = { variables: new Set(), files: new Set() }
  const textOf = placeholders(dirname(path), environment, missing, seen)
  const filled = withValues(parsed, textOf)
  const { variables, files } = missing
  if (variables.size > 0) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} names environment variables that are not set: ${[...variables].join(', ')}`,
    )
  }
  if (files.size > 0) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} names files that cannot be read: ${[...files].join(', ')}`,
    )
  }
  return filled
}

/** Names the first comment; JSON has none. */
function commentHint(text: string): string {
  const beforeComment = /^(?:[^"/]|"(?:[^"\\\n]|\\.)*"|\/(?![/*]))*(?=\/[/*])/.exec(text)?.[0]
  if (beforeComment === undefined) return ''
  return ` (JSON has no comments, and line ${beforeComment.split('\n').length} has one: engine.config.ts may)`
}

/** Some editors on Windows begin files with a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** Names in the file that are not defined. */
interface Missing {
  readonly variables: Set<string>
  readonly files: Set<string>
}

/** Replaces `${name}`. @param missing receives the names that are not defined; @param seen the files that are named. */
function placeholders(
  directory: string,
  environment: NodeJS.ProcessEnv,
  missing: Missing,
  seen: Set<string> | undefined,
): (name: string) => string {
  return (name) => {
    if (!name.startsWith('file:')) {
      const found = environment[name]
      if (found === undefined) missing.variables.add(name)
      return found ?? ''
    }
    const file = resolve(directory, name.slice('file:'.length))
    seen?.add(file)
    try {
      return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch {
      missing.files.add(file)
      return ''
    }
  }
}

function withValues(value: unknown, textOf: (name: string) => string): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*|file:[^{}]+)\}/g, (_, name: string) =>
      textOf(name),
    )
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, textOf))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withValues(item, textOf)]),
    )
  }
  return value
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
