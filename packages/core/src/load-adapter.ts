import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AdapterFactory } from './adapter.ts'
import type { AuthProviderFactory } from './auth-provider.ts'
import { GatewayError } from './errors.ts'
import type { PgWireServerFactory } from './pg-wire-server.ts'
import type { ServiceDatabaseFactory } from './store/service-database.ts'

/**
 * Finds the installed adapter package, looking from the application's directory: adapters are optional, and an
 * application installs those it needs.
 *
 * @throws {GatewayError} `invalidConfiguration` that says which package to install.
 */
export async function loadAdapter(packageName: string, directory: string): Promise<AdapterFactory> {
  return (await exportOf(packageName, directory, 'connect')) as AdapterFactory
}

/** The same for the service database. */
export async function loadServiceDatabase(
  packageName: string,
  directory: string,
): Promise<ServiceDatabaseFactory> {
  return (await exportOf(packageName, directory, 'serviceDatabase')) as ServiceDatabaseFactory
}

/** The same for the server of the wire protocol. */
export async function loadPgWireServer(directory: string): Promise<PgWireServerFactory> {
  return (await exportOf('@engine/pgwire', directory, 'createPgWireServer')) as PgWireServerFactory
}

/** The same for accounts, tokens and API keys. */
export async function loadAuthProvider<Engine>(
  directory: string,
): Promise<AuthProviderFactory<Engine>> {
  const factory = await exportOf('@engine/auth', directory, 'openAuthProvider')
  return factory as AuthProviderFactory<Engine>
}

async function exportOf(packageName: string, directory: string, name: string): Promise<unknown> {
  const require = createRequire(join(directory, 'package.json'))
  let path: string
  try {
    path = require.resolve(packageName)
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `The package ${packageName} is not installed: npm install ${packageName}`,
      { cause },
    )
  }
  const loaded: unknown = await import(pathToFileURL(path).href)
  if (typeof loaded === 'object' && loaded !== null && name in loaded) {
    return Reflect.get(loaded, name)
  }
  throw new GatewayError(
    'invalidConfiguration',
    `${packageName} is of another version: it has no ${name}.`,
  )
}
