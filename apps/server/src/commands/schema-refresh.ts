/** @module `engine-server schema refresh`: for deploy scripts, after a migration. */
import { GatewayError } from '@engine/core'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { askServer } from '../command-line/admin-http.ts'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { configuration } from '../command-line/with-engine.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  url: { type: 'string', description: 'address of a running server; repeat it for several nodes' },
}

/** How long a server may take to read its catalogs, in milliseconds. */
const timeoutMs = 60_000

export const schemaRefresh: CommandDef = defineCommand({
  meta: {
    name: 'refresh',
    description: 'Make running servers read the tables and types of their databases again',
  },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const { config, port } = parseServerConfig(
        await configuration(options.text('config')),
        process.env,
      )
      const { masterKey } = config
      if (typeof masterKey !== 'string') {
        throw wrongArgument('The configuration has no masterKey: servers refuse the command')
      }
      const given = options.texts('url')
      const urls = given.length > 0 ? given : [`http://127.0.0.1:${port}`]
      let isComplete = true
      for (const url of urls) {
        const { connections } = await refresh(url, masterKey)
        process.stdout.write(`${JSON.stringify({ url, connections })}\n`)
        if (Object.values(connections).some(({ isRead }) => !isRead)) isComplete = false
      }
      if (!isComplete) process.exitCode = 1
    }),
})

interface Refreshed {
  readonly connections: Readonly<Record<string, { readonly isRead: boolean }>>
}

/** @throws {GatewayError} `unavailable` when the server does not answer, or refuses. */
async function refresh(url: string, masterKey: string): Promise<Refreshed> {
  const target = new URL('/admin/api/schema/refresh', url)
  const response = await askServer(target, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterKey}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return (await response.json()) as Refreshed
  throw new GatewayError(
    'unavailable',
    `${url} answers ${response.status}: ${await response.text()}`,
  )
}
