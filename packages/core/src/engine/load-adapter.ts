/** @module The optional packages of the engine. */

import { exportOf } from '../foundation/load-package.ts'
import type { AdapterFactory } from '../runtime/adapter/adapter.ts'
import type { AuthProviderFactory } from './open-auth-provider.ts'
import type { PgWireServerFactory } from './pg-wire-server.ts'

/**
 * Finds the installed adapter package, looking from the application's directory: adapters are optional, and an application
 * installs those it needs.
 *
 * @throws {GatewayError} `invalidConfiguration` with the name of the package to install.
 */
export async function loadAdapter(packageName: string, directory: string): Promise<AdapterFactory> {
  return (await exportOf(packageName, directory, 'connect')) as AdapterFactory
}

/** Finds the installed server of the wire protocol. */
export async function loadPgWireServer(directory: string): Promise<PgWireServerFactory> {
  return (await exportOf('@engine/pgwire', directory, 'createPgWireServer')) as PgWireServerFactory
}

/** Finds the installed package for accounts, tokens and API keys. */
export async function loadAuthProvider<Engine>(
  directory: string,
): Promise<AuthProviderFactory<Engine>> {
  const factory = await exportOf('@engine/auth', directory, 'openAuthProvider')
  return factory as AuthProviderFactory<Engine>
}
