/** @module What is given instead of a configuration object, for messages. */
import { isPlainObject } from '../../foundation/plain-object.ts'

const form = 'export default defineConfig({ … })'

/** Options of `engine-server` for the process that it is. */
const serverOptions: ReadonlySet<string> = new Set(['port', 'host', 'stopDelay', 'workers'])

/**
 * Reports a value that is no configuration object but holds one.
 *
 * @returns undefined for an object that may be a configuration.
 */
export function shapeProblem(value: unknown): string | undefined {
  if (typeof value === 'function') return `is a function: write "${form}" with its result`
  if (value instanceof Promise) return 'is a promise: await it'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'is no object'
  }
  if ('connections' in value) return undefined
  if ('default' in value) {
    return 'is a module: give its default export (import config from "./engine.config.ts")'
  }
  const inner = Object.keys(value).length === 1 ? holderOf(value) : undefined
  return inner === undefined
    ? undefined
    : `stands in "${inner}": write "${form}", and import it without braces`
}

/**
 * Names the export of a module that looks like a configuration.
 *
 * @param module without a default export.
 */
export function moduleProblem(module: object): string {
  const inner = holderOf(module)
  return inner === undefined
    ? `has no default export: write "${form}"`
    : `exports "${inner}" and no default: write "${form}" instead of "export const ${inner} = …"`
}

/** @returns undefined where the key is none of `engine-server`. */
export function serverOptionProblem(key: string): string | undefined {
  return serverOptions.has(key)
    ? 'is an option of engine-server: in an application of your own the host listens'
    : undefined
}

/** The name under which an object has an object with `connections`. */
function holderOf(value: object): string | undefined {
  return Object.entries(value).find(([, item]) => isPlainObject(item) && 'connections' in item)?.[0]
}
