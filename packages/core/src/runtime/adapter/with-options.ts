import type { AdapterOptions } from '../../config/options/adapter-options.ts'
import type { Adapter, AdapterFactory, ConnectionOptions } from './adapter.ts'

/**
 * A factory of connections that have options of their own. They are checked before a connection is opened, and `connect` gets them
 * with their defaults.
 *
 * @example
 * const options = z.strictObject({ threads: z.int().positive().default(4) })
 * export const connect = withOptions(options, ({ url }, { threads }) => duckdbAdapter(url, threads))
 */
export function withOptions<Values>(
  options: AdapterOptions<Values>,
  connect: (connection: ConnectionOptions, own: Values) => Adapter,
): AdapterFactory {
  return Object.assign(
    (connection: ConnectionOptions) =>
      connect(connection, options.parse(connection.adapterOptions)),
    { options },
  )
}
