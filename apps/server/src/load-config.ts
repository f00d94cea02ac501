import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, GatewayError } from '@engine/core'

/** What a configuration file exports: the engine's configuration and where to listen. */
export interface ConfigFile extends Config {
  /** 0 takes a free port. Default 3001. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** After SIGTERM requests are still taken for so many milliseconds, while `/health/ready` says 503. Default 0. */
  readonly stopDelay?: number
}

const fileNames = ['engine.config.ts', 'engine.config.js', 'engine.config.json']

/**
 * Finds the configuration file: the given path, else `ENGINE_CONFIG`, else `engine.config.{ts,js,json}` in the
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
 * Loads a `.ts`, `.js` or `.json` file. In JSON, texts may hold `${NAME}` for environment variables.
 *
 * @throws {GatewayError} `invalidConfiguration` when the file is missing, broken, or names a variable that is not set.
 */
export async function loadConfig(
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<ConfigFile> {
  if (!existsSync(path)) throw new GatewayError('invalidConfiguration', `There is no file ${path}.`)
  const loaded = path.endsWith('.json') ? await loadJson(path, environment) : await loadModule(path)
  if (typeof loaded !== 'object' || loaded === null || Array.isArray(loaded)) {
    throw new GatewayError('invalidConfiguration', `${path} does not hold a configuration object.`)
  }
  return loaded as ConfigFile
}

/** The default export of a module. @throws {GatewayError} `invalidConfiguration`. */
export async function loadModule(path: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    return typeof module === 'object' && module !== null && 'default' in module
      ? module.default
      : undefined
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} cannot be loaded: ${messageOf(cause)}`,
      { cause },
    )
  }
}

async function loadJson(path: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `${path} is not valid JSON: ${messageOf(cause)}`,
      { cause },
    )
  }
  const missing = new Set<string>()
  const filled = withVariables(parsed, environment, missing)
  if (missing.size === 0) return filled
  throw new GatewayError(
    'invalidConfiguration',
    `${path} names environment variables that are not set: ${[...missing].join(', ')}`,
  )
}

/** @param missing receives the names of variables that are not set. */
function withVariables(
  value: unknown,
  environment: NodeJS.ProcessEnv,
  missing: Set<string>,
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = environment[name]
      if (found === undefined) missing.add(name)
      return found ?? ''
    })
  }
  if (Array.isArray(value)) return value.map((item) => withVariables(item, environment, missing))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withVariables(item, environment, missing)]),
    )
  }
  return value
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
