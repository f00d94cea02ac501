/** @module Opens the engine of a configuration file, for commands that inspect it and serve no requests. */
import { createEngine, type Engine, type Log } from '@engine/core'
import { parseConfig } from '@engine/core/server'
import { loadAdapters } from '../configuration/adapters.ts'
import type { ConfigFile } from '../configuration/define-config.ts'
import { findConfig, loadConfig, requireConfig } from '../configuration/load-config.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'
import { openDemo } from '../demo/demo.ts'
import { servedConfig } from './served-config.ts'

/**
 * Finds the configuration like the server, opens its engine while `use` runs, and closes it.
 *
 * @param path value of `--config`.
 * @throws {GatewayError} `invalidConfiguration`; errors of `use`.
 */
export async function withEngine<T>(
  path: string | undefined,
  use: (engine: Engine) => Promise<T>,
  log: Log = terseLog,
): Promise<T> {
  const { config } = parseServerConfig(await configuration(path))
  const served = await servedConfig(config)
  const { adapters } = await loadAdapters(parseConfig(served))
  const engine = await createEngine(served, { adapters, log })
  try {
    return await use(engine)
  } finally {
    await engine.close()
  }
}

/** The file that the server would start with, otherwise the embedded demo. */
export async function configuration(path: string | undefined): Promise<ConfigFile> {
  const found = findConfig(path, process.env, process.cwd())
  requireConfig(found, process.env)
  if (found !== undefined) return loadConfig(found, process.env)
  return (await openDemo(process.cwd())).config
}

/** Prints warnings as lines of text, without their fields: these could contain data that an operator should not see. */
export const terseLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (facts, message) => note(facts, message),
  error: (facts, message) => note(facts, message),
}

function note(facts: object, message: string): void {
  const { connection } = facts as { readonly connection?: unknown }
  const where = typeof connection === 'string' ? `${connection}: ` : ''
  process.stderr.write(`warning: ${where}${message}\n`)
}
