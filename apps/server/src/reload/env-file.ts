/** @module The variables of files `.env`. Variables that the environment sets by itself have priority. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** What an environment has from files. */
interface Loaded {
  /** Absolute paths; a later file has priority. */
  readonly paths: string[]
  /** The values that come from the files. */
  readonly values: Map<string, string>
  /** Paths of files, by the names of variables that the environment had with the value of this file: they follow it alone. */
  readonly followed: Map<string, string>
}

const loadedInto = new WeakMap<NodeJS.ProcessEnv, Loaded>()

/**
 * Sets the variables of a file that the environment does not set by itself. The file has priority over files that were loaded
 * into this environment before it. Those are read again, too: variables that come from files follow them.
 */
export function loadEnvFile(path: string, environment: NodeJS.ProcessEnv): void {
  const loaded: Loaded = loadedInto.get(environment) ?? {
    paths: [],
    values: new Map(),
    followed: new Map(),
  }
  loadedInto.set(environment, loaded)
  const absolute = resolve(path)
  if (!loaded.paths.includes(absolute)) add(absolute, loaded, environment)
  apply(loaded, environment)
}

function add(
  path: string,
  { paths, values, followed }: Loaded,
  environment: NodeJS.ProcessEnv,
): void {
  paths.push(path)
  for (const [name, value] of variablesIn(path)) {
    if (environment[name] !== value || values.has(name)) continue
    values.set(name, value)
    followed.set(name, path)
  }
}

/** A file, and what became of its variables. */
export interface EnvFile {
  /** Absolute. */
  readonly path: string
  /** Names of the variables that it sets. */
  readonly sets: readonly string[]
  /** Names of those that the environment, or a file with priority, sets otherwise. */
  readonly ignored: readonly string[]
}

/** The files that were loaded into an environment, the last with priority; also those that do not exist. */
export function envFilesOf(environment: NodeJS.ProcessEnv): readonly EnvFile[] {
  const loaded = loadedInto.get(environment)
  if (loaded === undefined) return []
  const { paths, values } = loaded
  return paths.map((path) => {
    const variables = variablesIn(path)
    const isSet = ([name, value]: [string, string]) => values.get(name) === value
    return {
      path,
      sets: variables.filter(isSet).map(([name]) => name),
      ignored: variables.filter((variable) => !isSet(variable)).map(([name]) => name),
    }
  })
}

function apply({ paths, values, followed }: Loaded, environment: NodeJS.ProcessEnv): void {
  const mayCome = (name: string, path: string) => (followed.get(name) ?? path) === path
  const now = new Map(
    paths.flatMap((path) => variablesIn(path).filter(([name]) => mayCome(name, path))),
  )
  for (const [name, value] of values) {
    // Something else has set it since.
    if (environment[name] !== value) values.delete(name)
    else if (!now.has(name)) delete environment[name]
  }
  for (const [name, value] of now) {
    if (environment[name] !== undefined && !values.has(name)) continue
    environment[name] = value
    values.set(name, value)
  }
  for (const name of values.keys()) if (!now.has(name)) values.delete(name)
}

/** None where there is no such file. */
function variablesIn(path: string): [name: string, value: string][] {
  try {
    return Object.entries(parseEnv(readFileSync(path, 'utf8'))).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
  } catch {
    return []
  }
}
