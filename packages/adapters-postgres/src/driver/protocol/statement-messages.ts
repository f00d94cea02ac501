/** @module The messages that a statement is sent as. */
import { type StatementSettings, usualSettings } from '@engine/core/tree'
import { serialize } from 'pg-protocol'
import type { SessionQuery } from '../session-query.ts'

/** What a session knows about a statement. */
export interface KnownStatement {
  readonly isPrepared: boolean
  /** The server has reported its columns. */
  readonly isDescribed: boolean
}

/** Messages: close old statements, BEGIN, the statement. */
export function messagesOf(
  query: SessionQuery,
  known: KnownStatement,
  dropped: readonly string[],
): readonly Buffer[] {
  const { begin, settings } = query
  const sent = closeMessages(dropped)
  if (begin !== undefined) {
    sent.push(serialize.parse({ text: begin }), serialize.bind(), serialize.execute())
  }
  sent.push(...withSettings(settings, statementMessages(query, known)), serialize.sync())
  return sent
}

export function closeMessages(names: readonly string[]): Buffer[] {
  return names.map((name) => serialize.close({ type: 'S', name }))
}

/** Parse and Describe where they are needed, Bind, Execute. */
export function statementMessages(
  { name, text, values, portal = '' }: SessionQuery,
  { isPrepared, isDescribed }: KnownStatement,
): Buffer[] {
  const sent: Buffer[] = []
  if (!isPrepared) sent.push(serialize.parse({ name, text }))
  sent.push(serialize.bind({ portal, statement: name, values }))
  if (!isDescribed) sent.push(serialize.describe({ type: 'P', name: portal }))
  if (portal === '') sent.push(serialize.execute())
  return sent
}

/** Prepares a statement where it is needed, and asks for its columns; runs nothing. */
export function describeMessages(
  { name, text }: SessionQuery,
  isPrepared: boolean,
  dropped: readonly string[],
): readonly Buffer[] {
  const sent = closeMessages(dropped)
  if (!isPrepared) sent.push(serialize.parse({ name, text }))
  sent.push(serialize.describe({ type: 'S', name }), serialize.sync())
  return sent
}

/**
 * Changes the settings only for these messages. They last at most for the transaction, and one that continues gets the usual ones
 * again: after every kind of failure, the next statement finds the session in its normal state.
 */
export function withSettings(
  settings: StatementSettings | undefined,
  sent: readonly Buffer[],
): readonly Buffer[] {
  if (settings === undefined) return sent
  const set = ({ timeZone, dateStyle, intervalStyle }: StatementSettings) => [
    serialize.bind({ values: [timeZone, dateStyle, intervalStyle] }),
    serialize.execute(),
  ]
  return [serialize.parse({ text: setSettings }), ...set(settings), ...sent, ...set(usualSettings)]
}

const setSettings = `select pg_catalog.set_config('TimeZone', $1, true),
  pg_catalog.set_config('DateStyle', $2, true), pg_catalog.set_config('IntervalStyle', $3, true)`

export function count(first: object | string | undefined, second?: object): number {
  return (first === undefined ? 0 : 1) + (second === undefined ? 0 : 1)
}
