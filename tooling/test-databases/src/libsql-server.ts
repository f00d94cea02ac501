import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { writePrivateFile } from './processes/private-file.ts'
import {
  type PrivateServer,
  type ServerHome,
  startPrivateServer,
} from './processes/private-server.ts'

/** A private libSQL server (sqld); its URL begins with `http:`, and `ws:` works as well. */
export type LibsqlServer = PrivateServer

export interface LibsqlOptions {
  /** PEM of an Ed25519 public key: only tokens that it verifies are accepted. */
  readonly tokenKey?: string
}

/** Why it is not available on this machine; undefined where it is. */
export function missingLibsql(): string | undefined {
  return programPath() === undefined
    ? `no libSQL server: the package ${packageName()} is not installed`
    : undefined
}

/**
 * Starts a private libSQL server with an empty database.
 *
 * @throws {Error} when this machine has none (see `missingLibsql`) or it does not start.
 */
export async function startLibsql({ tokenKey }: LibsqlOptions = {}): Promise<LibsqlServer> {
  const path = programPath()
  if (path === undefined) throw new Error(missingLibsql())
  return startPrivateServer({
    name: 'libSQL',
    users: ['nobody'],
    portTaken: 'Address already in use',
    signals: { crash: 'SIGKILL', end: 'SIGTERM' },
    prepare: (home) => {
      const auth = tokenKey === undefined ? [] : tokenArguments(home, tokenKey)
      return {
        urlOf: (port) => `http://127.0.0.1:${port}`,
        command: (port) => ({
          path,
          arguments: [
            '--no-welcome',
            '--db-path',
            join(home.path, 'data'),
            '--http-listen-addr',
            `127.0.0.1:${port}`,
            ...auth,
          ],
          env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        }),
        greet: async (url) => {
          const { ok } = await fetch(`${url}/health`)
          if (!ok) throw new Error('not yet')
        },
      }
    },
  })
}

function tokenArguments(home: ServerHome, key: string): readonly string[] {
  return ['--auth-jwt-key-file', writePrivateFile(join(home.path, 'token-key.pem'), key, home)]
}

function packageName(): string {
  return `@sqld/${process.platform}-${process.arch}`
}

function programPath(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName()}/package.json`)
    return join(dirname(manifest), 'sqld')
  } catch {
    return undefined
  }
}
