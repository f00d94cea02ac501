import type { Config } from '../../config/options/config.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { ConfigurationStore, Revision } from './configuration-store.ts'
import { documentOf } from './document.ts'

/**
 * The newest revision. Where there is none, the configuration in code becomes revision 1; of several nodes that start at the same
 * time, one writes it.
 *
 * @throws {GatewayError} `invalidConfiguration` when the code's configuration cannot be stored, or its secrets cannot be opened.
 */
export async function newestOrImported(
  configurations: ConfigurationStore,
  code: Config,
): Promise<Revision> {
  const newest = await configurations.newest()
  if (newest !== undefined) return newest
  const document = documentOf(code)
  try {
    return await configurations.add({
      base: undefined,
      document,
      author: 'admin',
      via: 'start',
      note: 'imported from code',
    })
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem !== 'conflict') throw error
    const written = await configurations.newest()
    if (written === undefined) throw error
    return written
  }
}
