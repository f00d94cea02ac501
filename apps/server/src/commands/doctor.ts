import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { findConfig } from '../configuration/load-config.ts'
import { openDemo } from '../demo/demo.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { formatFindings } from '../doctor/format-findings.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  json: { type: 'boolean', description: 'print JSON' },
}

export const doctor: CommandDef = defineCommand({
  meta: {
    name: 'doctor',
    description: 'Check configuration, databases, secrets, mail and ports; exit 1 on faults',
  },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const findings = await diagnose({
        path: findConfig(options.text('config'), process.env, process.cwd()),
        demo: async () => (await openDemo(process.cwd())).config,
        environment: process.env,
        nodeVersion: process.versions.node,
      })
      const isWell = findings.every(({ level }) => level !== 'fault')
      process.stdout.write(
        options.flag('json')
          ? `${JSON.stringify({ ok: isWell, findings }, null, 2)}\n`
          : formatFindings(findings),
      )
      process.exitCode = isWell ? 0 : 1
    }),
})
