import { relative } from 'node:path'
import type { PermissionMatrix } from '@engine/contract/admin-api'
import { diffMatrices, parseConfig, permissionMatrix } from '@engine/core/server'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { configuration, withEngine } from '../command-line/with-engine.ts'
import { findConfig } from '../configuration/load-config.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'
import { formatMatrix, formatMatrixDiff } from '../format/format-matrix.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  diff: { type: 'string', description: 'another configuration file: print what it would change' },
  check: { type: 'boolean', description: 'with --diff: exit 1 when there is a difference' },
  offline: { type: 'boolean', description: "do not look into any database; '*' stays '*'" },
  json: { type: 'boolean', description: 'print JSON' },
}

export const permissionsMatrix: CommandDef = defineCommand({
  meta: { name: 'matrix', description: 'Print who may do what, by role, table and operation' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const [path, other] = [options.text('config'), options.text('diff')]
      if (options.flag('check') && other === undefined) throw wrongArgument('--check needs --diff')
      const isOffline = options.flag('offline')
      const matrix = await readMatrix(path, isOffline)
      if (other === undefined) {
        print(options.flag('json') ? matrix : formatMatrix(matrix))
        return
      }
      const found = findConfig(path, process.env, process.cwd())
      const name = found === undefined ? 'demo' : relative(process.cwd(), found)
      const after = await readMatrix(other, isOffline)
      const changes = diffMatrices(matrix, after)
      const text = formatMatrixDiff(changes, { name, matrix }, { name: other, matrix: after })
      print(options.flag('json') ? changes : text)
      const isSame = changes.length === 0 && matrix.isOpen === after.isOpen
      if (options.flag('check') && !isSame) process.exitCode = 1
    }),
})

async function readMatrix(path: string | undefined, isOffline: boolean): Promise<PermissionMatrix> {
  if (!isOffline) return withEngine(path, async (engine) => engine.permissionMatrix())
  const { config } = parseServerConfig(await configuration(path))
  return permissionMatrix(parseConfig(config))
}

function print(output: object | string): void {
  process.stdout.write(typeof output === 'string' ? output : `${JSON.stringify(output, null, 2)}\n`)
}
