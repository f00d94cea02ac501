import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoAccount } from './demo-accounts.ts'

/**
 * Writes `customer.token`, and `customer.headers` with the headers of a request as `curl -H @file` reads them, for each
 * account; only this user may read them.
 */
export function writeDemoTokens(
  folder: string,
  accounts: readonly Pick<DemoAccount, 'role' | 'token'>[],
): void {
  for (const { role, token } of accounts) {
    const headers = `Authorization: Bearer ${token}\nContent-Type: application/json\n`
    writePrivate(join(folder, `${role}.headers`), headers)
    writePrivate(join(folder, `${role}.token`), token)
  }
}

/** A file that is there keeps its mode: it is made anew. */
function writePrivate(path: string, content: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
}
