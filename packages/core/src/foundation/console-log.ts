import type { Log } from './log.ts'
import { reasonOf } from './reason-of.ts'

/**
 * Warnings and errors as lines on the console, for applications without a log of their own. Only the cause of an error is
 * written: drivers put more into their errors than a console should show.
 */
export const consoleLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  // biome-ignore lint/suspicious/noConsole: this is what it is for
  warn: (facts, message) => console.warn(lineOf('warning', facts, message)),
  // biome-ignore lint/suspicious/noConsole: this is what it is for
  error: (facts, message) => console.error(lineOf('error', facts, message)),
}

function lineOf(level: string, facts: object, message: string): string {
  // Facts that the message already contains are left out.
  const { err, cause: _, ...others } = facts as { readonly err?: unknown; readonly cause?: unknown }
  const reason = err === undefined ? '' : `: ${reasonOf(err)}`
  const rest = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`
  return `engine ${level}: ${message}${reason}${rest}`
}
