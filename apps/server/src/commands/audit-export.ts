import {
  type AuditFilter,
  auditSecret,
  type ExportFormat,
  exportFormats,
  openAuditReader,
  parseDuration,
} from '@engine/core/server'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withStore } from '../command-line/with-store.ts'
import { writeOut } from '../command-line/write-out.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  format: { type: 'string', description: 'ndjson (default) or csv' },
  since: { type: 'string', description: 'how long ago to begin (7d, 12h), or a time' },
  until: { type: 'string', description: 'how long ago to end, or a time' },
  'include-system': { type: 'boolean', description: "the engine's own statements, too" },
}

export const auditExport: CommandDef = defineCommand({
  meta: { name: 'export', description: 'Print the audit, oldest entries first' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const format = options.text('format') ?? 'ndjson'
      if (!isFormat(format)) throw wrongArgument(`--format: expects ${exportFormats.join(' or ')}`)
      const filter: AuditFilter = {
        sinceMs: momentMs(options.text('since'), '--since'),
        untilMs: momentMs(options.text('until'), '--until'),
        includeSystem: options.flag('include-system'),
      }
      await withStore(options.text('config'), async (store, settings) => {
        const secret = auditSecret(settings)
        const reader = await openAuditReader({ store, settings: settings.audit, secret })
        await writeOut(process.stdout, reader.export(format, filter))
      })
    }),
})

function isFormat(text: string): text is ExportFormat {
  return exportFormats.some((format) => format === text)
}

/** Milliseconds since 1970. @throws {GatewayError} `invalidConfiguration`. */
function momentMs(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  const ago = parseDuration(text)
  const timeMs = ago === undefined ? Date.parse(text) : Date.now() - ago
  if (Number.isNaN(timeMs)) throw wrongArgument(`${option}: expects 7d, 12h or a time`)
  return timeMs
}
