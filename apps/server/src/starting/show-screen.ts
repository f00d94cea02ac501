import { basename } from 'node:path'
import { paintOn } from '../terminal/terminal.ts'
import type { Addresses } from '../workers/questions.ts'
import type { Prepared } from './prepare.ts'
import { screenLines } from './screen.ts'

/** Prints the addresses at a terminal; a file of logs has none of it. */
export function showScreen(
  { path, settings }: Pick<Prepared, 'path' | 'settings'>,
  addresses: Addresses,
  adminLink: string | undefined,
): void {
  const { stderr, stdout } = process
  if (!stderr.isTTY && !stdout.isTTY) return
  const what = basename(path ?? 'its configuration')
  const facts = { what, addresses, adminLink, database: settings.defaultConnection }
  stderr.write(`${screenLines(facts, paintOn(stderr)).join('\n')}\n`)
}
