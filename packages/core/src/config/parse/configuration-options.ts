import type { DescribedOption } from '../describe/describe-options.ts'
import type { RegisteredAdapters } from './connection-source.ts'
import { actionOptions } from './parse-actions.ts'
import { authOptions } from './parse-auth.ts'
import { channelOptions } from './parse-channels.ts'
import { connectionOptions } from './parse-connections.ts'
import { limitOptions } from './parse-limits.ts'
import { operationOptions } from './parse-operations.ts'
import { pgWireOptions } from './parse-pg-wire.ts'
import { topOptions } from './parse-top.ts'

/**
 * Every option of a configuration by its path, taken from the checks: any name is written `<name>`, any item `[]`. The options of
 * permissions are described with the permissions.
 *
 * @param adapters whose own options are listed, too.
 */
export function configurationOptions(adapters: RegisteredAdapters = {}): readonly string[] {
  return [...new Set(describeConfiguration(adapters).map(({ path }) => path))].sort()
}

/** The same options with their types and defaults, section by section, for a reference. */
export function describeConfiguration(
  adapters: RegisteredAdapters = {},
): readonly DescribedOption[] {
  return [
    ...topOptions(),
    ...connectionOptions(adapters),
    ...authOptions(),
    ...channelOptions(),
    ...limitOptions(),
    ...actionOptions(),
    ...operationOptions(),
    ...pgWireOptions(),
  ]
}
