/** @module Lists the commands that return rows, and their columns. */
import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { explainShape } from '../results/explain-shape.ts'
import { textShape } from '../results/result-shape.ts'
import { notifyFields, signalFields } from '../results/signal-fields.ts'
import type { ClientStatement, SessionCommand } from '../statements/client-statement.ts'

/** The query inside a command; a client may bind its parameters. */
export function commandQuery(command: SessionCommand): ClientStatement | undefined {
  switch (command.kind) {
    case 'declareCursor':
    case 'explain':
    case 'signal':
    case 'notifyCall':
    case 'sleep':
      return command.statement
    default:
      return undefined
  }
}

/** Undefined for a command without rows. @param fieldsOf of another prepared statement */
export function commandFields(
  { settings, portals, statements }: Pick<SessionParts, 'settings' | 'portals' | 'statements'>,
  command: SessionCommand,
  fieldsOf: (prepared: Prepared) => readonly FieldDescription[] | undefined,
): readonly FieldDescription[] | undefined {
  switch (command.kind) {
    case 'show':
      return textShape(showColumns(settings, command.name)).fields
    case 'explain':
      return explainShape(command.options.format).fields
    case 'signal':
      return signalFields(command.column)
    case 'notifyCall':
      return notifyFields(command.column)
    case 'setConfig':
      return textShape([command.column]).fields
    case 'fetch':
      return command.isMove ? undefined : portals.find(command.name)?.fields
    case 'execute': {
      const prepared = statements.find(command.name)
      return prepared && !isVariable(prepared) ? fieldsOf(prepared) : undefined
    }
    default:
      return undefined
  }
}

/** The command returns the rows of another statement, which may be replaced later, or may be the command itself. */
export function isVariable(prepared: Prepared): boolean {
  if (prepared.kind !== 'command') return false
  return prepared.command.kind === 'execute' || prepared.command.kind === 'fetch'
}

/**
 * The column of a setting has PostgreSQL's spelling of its name: `TimeZone`.
 *
 * @throws {GatewayError} 42704
 */
export function showColumns(settings: SessionParts['settings'], name: string): readonly string[] {
  return name === 'all' ? ['name', 'setting', 'description'] : [settings.nameOf(name)]
}
