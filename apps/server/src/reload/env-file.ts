/** @module The variables of a file `.env`. Variables that the environment sets by itself have priority. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Sets the variables of a file that the environment does not set, as `node --env-file-if-exists` does. */
export function loadEnvFile(path: string, environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of variablesIn(path)) environment[name] ??= value
}

/**
 * Follows a file of variables: those that have its values, and new ones, get what the file says at the next call. Variables that
 * the environment sets by itself stay.
 *
 * @returns reads the file again.
 */
export function followEnvFile(path: string, environment: NodeJS.ProcessEnv): () => void {
  const known = new Map(variablesIn(path).filter(([name, value]) => environment[name] === value))
  return () => {
    const now = new Map(variablesIn(path))
    for (const name of known.keys()) {
      if (now.has(name)) continue
      known.delete(name)
      delete environment[name]
    }
    for (const [name, value] of now) {
      if (!known.has(name) && environment[name] !== undefined) continue
      known.set(name, value)
      environment[name] = value
    }
  }
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
