/** @module Names and values of attackers, a database that has them, and what a page may show of them. */
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import type { Visitor } from './visit.ts'

export const markup = '<img src=x onerror=alert(1)>'

export const names: readonly string[] = [
  markup,
  '"><script>alert(2)</script>',
  'javascript:alert(3)',
  'invoice\u202efdp.exe',
  "a'b`$\u007balert(4)}`",
  'per%cent/and#hash?query',
]

/** A cell of more than 100 kB. */
export const longCell: string = markup.repeat(4_000)

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A table for each name with a column for each; the one named as markup has a row of the names, and a long cell. */
export function createHostileDatabase(path: string): void {
  const database = new Database(path)
  const columns = names.map((name) => `${quoted(name)} text`).join(', ')
  for (const name of names) {
    database.exec(`create table ${quoted(name)} (id integer primary key, ${columns})`)
  }
  const values = names.map(() => '?').join(', ')
  const insert = database.prepare(`insert into ${quoted(markup)} values (1, ${values})`)
  insert.run(...names.map((name, index) => (index === 0 ? longCell : name)))
  database.close()
}

/** Hostile text is text: no element of it, no script, no mark of the writing direction; and one heading, nothing too wide. */
export async function expectHarmless({ page, complaints }: Visitor): Promise<void> {
  expect(complaints).toEqual([])
  // CodeMirror sets empty images beside characters that it replaces.
  const foreign = 'img:not(.cm-widgetBuffer), main script, a[href^="javascript:"]'
  expect(await page.locator(foreign).count()).toBe(0)
  const text = await page.evaluate('document.body.innerText')
  expect(text).not.toContain('\u202e')
  expect(text).not.toMatch(/no such (?:table|page|rule)/)
  // Behind a dialog it has no role.
  expect(await page.locator('h1').count()).toBe(1)
  const overflow = 'document.documentElement.scrollWidth - innerWidth'
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
}
