/** @module What else of a configuration needs a connection. */
import type { ConnectionDependants } from '@engine/contract/admin-api'
import { type Config, GatewayError } from '@engine/core'
import { type ConfigurationDocument, patchDocument } from '@engine/core/server'

type Entries = Readonly<Record<string, unknown>>

export function dependantsOf(
  { connections, permissions, channels, defaultConnection }: ConfigurationDocument,
  name: string,
  { auth }: Config,
): ConnectionDependants {
  const names = namesOf(entriesOf(connections)[name], name)
  const isOn = (table: unknown) =>
    typeof table === 'string' && names.some((each) => table.startsWith(`${each}.`))
  const userTable = auth !== undefined && 'userTable' in auth ? auth.userTable?.table : undefined
  return {
    permissions: Object.entries(entriesOf(permissions))
      .filter(([, permission]) => isOn(entriesOf(permission)['table']))
      .map(([permission]) => permission),
    channels: listOf(channels)
      .map((channel) => entriesOf(channel)['channel'])
      .filter((channel): channel is string => isOn(channel)),
    isDefault: names.includes(String(defaultConnection)),
    isUserTable: isOn(userTable),
  }
}

/** A connection with several schemas makes one connection of each. */
function namesOf(connection: unknown, name: string): readonly string[] {
  const { schemas } = entriesOf(connection)
  return Array.isArray(schemas) ? [name] : [name, ...Object.keys(entriesOf(schemas))]
}

/**
 * The document without a connection.
 *
 * @param withDependants removes permissions and channels on it, too.
 * @throws {GatewayError} `conflict` with what depends on it in `details.dependants`.
 */
export function removeConnection(
  document: ConfigurationDocument,
  name: string,
  code: Config,
  withDependants: boolean,
): ConfigurationDocument {
  const dependants = dependantsOf(document, name, code)
  const { permissions, channels, isDefault, isUserTable } = dependants
  const isNeeded = permissions.length > 0 || channels.length > 0 || isDefault
  if (isUserTable || (isNeeded && !withDependants)) {
    throw new GatewayError('conflict', `The connection "${name}" is needed.`, {
      details: { dependants },
    })
  }
  const left = listOf(document.channels).filter(
    (channel) => !channels.includes(String(entriesOf(channel)['channel'])),
  )
  return patchDocument(document, {
    connections: { [name]: null },
    ...(permissions.length === 0
      ? {}
      : { permissions: Object.fromEntries(permissions.map((each) => [each, null])) }),
    ...(channels.length === 0 ? {} : { channels: left }),
    ...(isDefault ? { defaultConnection: null } : {}),
  })
}

function entriesOf(value: unknown): Entries {
  return typeof value === 'object' && value !== null ? (value as Entries) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
