/** @module What a person reads when the server is ready. */

import type { Paint, Style } from '../terminal/terminal.ts'
import { version } from '../version.ts'
import type { Addresses } from '../workers/questions.ts'

export interface ScreenFacts {
  /** `its demo shop`, `engine.config.ts` */
  readonly what: string
  readonly addresses: Addresses
  /** An address that opens the pages at `/admin` signed in; undefined where there are none. */
  readonly adminLink: string | undefined
  /** Shown beside the link. */
  readonly masterKey?: string | undefined
  /** A user and password for psql; undefined where every client has its own. */
  readonly login?: { readonly user: string; readonly password: string } | undefined
  /** A connection, as the database of psql. */
  readonly database?: string | undefined
}

/** Lines with a label each, and an empty line before and after. */
export function screenLines(facts: ScreenFacts, paint: Paint): readonly string[] {
  const { what, addresses } = facts
  const { http, pgWire, internal } = addresses
  const row = (label: string, text: string) => `  ${paint('dim', label.padEnd(9))}${text}`
  return [
    '',
    `  ${paint('bold', `Engine ${version}`)} serves ${what}`,
    '',
    row('HTTP', paint('cyan', http)),
    ...(pgWire === undefined ? [] : [row('psql', psqlLine(pgWire, facts))]),
    ...(internal === undefined ? [] : [row('internal', paint('cyan', internal))]),
    ...adminRows(facts).map(([label, text, style]) => row(label, paint(style, text))),
    '',
  ]
}

function psqlLine(address: string, { login, database }: ScreenFacts): string {
  const { hostname, port } = new URL(`postgres://${address}`)
  const password = login === undefined ? '' : `PGPASSWORD='${login.password}' `
  const user = login === undefined ? '' : ` -U ${login.user}`
  const name = database === undefined ? '' : ` -d ${database}`
  return `${password}psql -h ${hostname} -p ${port}${user}${name}`
}

/** The link to the pages, or the address of the API where they are not built. */
function adminRows({
  adminLink,
  masterKey,
  addresses,
}: ScreenFacts): readonly (readonly [label: string, text: string, style: Style])[] {
  if (adminLink === undefined) {
    return masterKey === undefined
      ? []
      : [
          ['admin', `${addresses.http}/admin/api`, 'cyan'],
          ['', `with the key ${masterKey}`, 'dim'],
        ]
  }
  const note = 'signed in: once, on this machine, within two minutes'
  return [
    ['admin', adminLink, 'cyan'],
    ['', masterKey === undefined ? note : `${note}; then with the key ${masterKey}`, 'dim'],
  ]
}
