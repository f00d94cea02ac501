import type { ShownChange } from '@engine/contract/admin-api'

/** The most characters of a value. */
const mostLength = 200

/**
 * One line for each change.
 *
 * @example
 * + permissions.orders  {"roles":["customer"],"table":"main.orders"}
 * - limits.maxQueued  500
 * ~ limits.maxRows  100 -> 200
 */
export function formatChanges(changes: readonly ShownChange[]): string {
  return changes.map((change) => `${lineOf(change)}\n`).join('')
}

function lineOf({ path, before, after, isSecret }: ShownChange): string {
  if (isSecret === true) return `~ ${path}  (another secret)`
  if (before === undefined) return `+ ${path}  ${textOf(after)}`
  if (after === undefined) return `- ${path}  ${textOf(before)}`
  return `~ ${path}  ${textOf(before)} -> ${textOf(after)}`
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > mostLength ? `${text.slice(0, mostLength)}…` : text
}
