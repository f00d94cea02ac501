/** @module A configuration for a first look from the administrator's pages: no databases, no rules, keys of its own. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@engine/core'
import { wrongArgument } from '../command-line/outcome.ts'
import type { ConfigFile } from '../configuration/define-config.ts'
import { findConfig } from '../configuration/load-config.ts'
import type { Paint } from '../terminal/terminal.ts'
import type { Addresses } from '../workers/questions.ts'
import { screenLines } from './screen.ts'

const fileName = 'engine.config.json'
const folderName = '.engine'

/** What the pages cannot change; everything else is stored in the service database. */
const emptyConfiguration: ConfigFile = {
  mode: 'interactive',
  service_db: `${folderName}/service.db`,
  masterKey: `\${file:${folderName}/master-key}`,
  auth: { secret: `\${file:${folderName}/auth-secret}` },
  audit: { enabled: true },
  connections: {},
}

/**
 * Writes a configuration in interactive mode and its keys, unless the directory has a configuration already.
 *
 * @returns the path of the file.
 * @throws {GatewayError} `invalidConfiguration` in production, where the operator must supply the keys.
 */
export async function interactiveConfiguration(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const found = findConfig(undefined, environment, directory)
  if (found !== undefined) return found
  if (environment['NODE_ENV'] === 'production') {
    throw wrongArgument(
      '--interactive: production needs a configuration file with a masterKey of your own (mode: "interactive")',
    )
  }
  const folder = join(directory, folderName)
  await mkdir(folder, { recursive: true })
  // Version control sees neither the keys nor the service database.
  await writeOnce(join(folder, '.gitignore'), '*\n')
  await writeOnce(join(folder, 'master-key'), key())
  await writeOnce(join(folder, 'auth-secret'), key())
  const path = join(directory, fileName)
  await writeOnce(path, `${JSON.stringify(emptyConfiguration, null, 2)}\n`)
  return path
}

/** @throws {GatewayError} `invalidConfiguration` for a file that was found and is not in interactive mode. */
export function requireInteractive({ mode }: ConfigFile, path: string): void {
  if (mode === 'interactive') return
  throw new GatewayError(
    'invalidConfiguration',
    `--interactive: ${path} defines the configuration in code. Set mode: 'interactive' in it, or start in another directory.`,
  )
}

function key(): string {
  return `${randomBytes(32).toString('base64url')}\n`
}

/** A key that is there stays: data may be encrypted with it. */
async function writeOnce(path: string, text: string): Promise<void> {
  if (!existsSync(path)) await writeFile(path, text, { mode: 0o600, flag: 'wx' })
}

/** The text that is printed after the start. @param link undefined where the pages are not built. */
export function welcomeText(addresses: Addresses, link: string | undefined, paint: Paint): string {
  const facts = {
    what: 'an empty configuration',
    addresses,
    adminLink: link,
    masterKey: `in ${folderName}/master-key`,
  }
  return [
    ...screenLines(facts, paint),
    link === undefined
      ? '  The pages are not built: pnpm --filter @engine/admin build'
      : '  Set it up in its pages: database, tables, first rules.',
    `  ${fileName} has what the pages do not change; engine-server starts it again.`,
    '',
    '',
  ].join('\n')
}
