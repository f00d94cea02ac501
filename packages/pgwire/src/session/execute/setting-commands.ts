/** @module SET, RESET, SHOW, set_config, DISCARD. */

import { wireError } from '../../errors/wire-error.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { type Completion, plainCompletion } from '../results/completion.ts'
import { textShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import { showColumns } from './command-fields.ts'

type Command<Kind extends SessionCommand['kind']> = Extract<SessionCommand, { readonly kind: Kind }>

/** @throws {GatewayError} the errors of `SessionSettings.set`. */
export function setSetting(
  { settings, block, warn }: SessionParts,
  { name, value, isLocal, tag }: Command<'set'>,
): Completion {
  if (isLocal && !block.isShared()) {
    warn('25P01', 'SET LOCAL can only be used in transaction blocks')
  }
  assignSetting({ settings, block }, { name, value, isLocal })
  return plainCompletion(tag)
}

/**
 * Outside a transaction, a value that is local to a transaction ends with the statement.
 *
 * @throws {GatewayError} the errors of `SessionSettings.set`.
 */
export function assignSetting(
  { settings, block }: Pick<SessionParts, 'settings' | 'block'>,
  { name, value, isLocal }: Pick<Command<'set'>, 'name' | 'value' | 'isLocal'>,
): void {
  if (!isLocal || block.isOpen()) {
    settings.set(name, value, isLocal)
    return
  }
  settings.begin()
  try {
    settings.set(name, value, true)
  } finally {
    settings.rollBack()
  }
}

/** Answers with the current value. */
export function setConfig(
  { settings, block }: SessionParts,
  { name, value, isLocal, column }: Command<'setConfig'>,
  sink: RowSink,
): Completion {
  assignSetting({ settings, block }, { name, value, isLocal })
  sink.begin(textShape([column]))
  sink.row([settings.show(name)])
  return { verb: 'SELECT', count: 1 }
}

export function resetAll({ settings }: SessionParts): Completion {
  settings.resetAll()
  return plainCompletion('RESET')
}

/** @throws {GatewayError} 42704 */
export function showSetting({ settings }: SessionParts, name: string, sink: RowSink): Completion {
  const rows = name === 'all' ? settings.all() : [[settings.show(name)]]
  sink.begin(textShape(showColumns(settings, name)))
  for (const row of rows) sink.row(row)
  return plainCompletion('SHOW')
}

/** @throws {GatewayError} 25001 for ALL inside of a transaction. */
export async function discard(
  { block, settings, portals, statements, listens }: SessionParts,
  what: Command<'discard'>['what'],
): Promise<Completion> {
  if (what !== 'all') return plainCompletion(`DISCARD ${what.toUpperCase()}`)
  if (block.isOpen()) {
    throw wireError('25001', 'DISCARD ALL cannot run inside a transaction block')
  }
  await portals.closeAll()
  statements.clear()
  listens.unlisten(undefined)
  settings.resetAll()
  return plainCompletion('DISCARD ALL')
}
