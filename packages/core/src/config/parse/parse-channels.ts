/** @module `channels`: who may listen to a channel of a database, and who may notify. */
import { z } from 'zod'
import { type Faults, suggestion } from '../../foundation/faults.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { ChannelSettings, ConnectionSettings } from '../settings/settings.ts'
import { checked } from './config-issues.ts'
import { connectionNames } from './connection-names.ts'

/** Bytes of a name in PostgreSQL, at most. */
const mostBytes = 63

const channelsInput = z.array(
  z.strictObject({
    channel: z
      .string()
      .regex(/^[^.]+\../, { error: 'expects "<connection>.<channel>"' })
      .refine((name) => isChannelName(channelOf(name)), {
        error: `expects a name of at most ${mostBytes} bytes after the connection`,
      }),
    roles: z.array(z.string().min(1)).min(1),
    listen: z.boolean().default(true),
    notify: z.boolean().default(false),
    name: z.string().min(1).optional(),
    description: z.string().optional(),
  }),
)

/** All options of channels. */
export function channelOptions(): readonly DescribedOption[] {
  return describeOptions(channelsInput, 'channels')
}

/** Can a channel of PostgreSQL have this name? */
export function isChannelName(name: string): boolean {
  return name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= mostBytes
}

/** @param connections those of the configuration */
export function parseChannels(
  input: unknown,
  connections: ReadonlyMap<string, ConnectionSettings>,
  faults: Faults,
): readonly ChannelSettings[] {
  if (input === undefined) return []
  const parsed = checked(channelsInput, input, 'channels', faults) ?? []
  const known = connectionNames(connections.values())
  const seen = new Set<string>()
  return parsed.map(({ channel: whole, roles, listen, notify }, i) => {
    const [connection = ''] = whole.split('.')
    const at = `channels.${i}.channel`
    const kind = connectionKind(connections, connection)
    if (kind === undefined) {
      faults.add(at, `there is no connection "${connection}"${suggestion(connection, known)}`)
    } else if (kind !== 'postgres') {
      faults.add(at, `only PostgreSQL has channels: the connection "${connection}" is ${kind}`)
    }
    if (seen.has(whole)) faults.add(at, `"${whole}" is already in the list`)
    seen.add(whole)
    if (!listen && !notify) faults.add(`channels.${i}`, 'allows neither listen nor notify')
    return { connection, channel: channelOf(whole), roles, listen, notify }
  })
}

function channelOf(whole: string): string {
  return whole.slice(whole.indexOf('.') + 1)
}

function connectionKind(
  connections: ReadonlyMap<string, ConnectionSettings>,
  wanted: string,
): ConnectionSettings['kind'] | undefined {
  return [...connections.values()].find(
    ({ name, members }) => members?.has(wanted) ?? name === wanted,
  )?.kind
}
