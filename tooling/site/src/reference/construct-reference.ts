/** @module The page about constructs of SQL: what each database answers, found by asking its printer. */
import { type Construct, constructs } from './constructs.ts'
import { databaseTable, pageHead } from './markdown.ts'
import type { Probe, Verdict } from './probe.ts'
import { refusalCell } from './refusal-cell.ts'

/** @throws {Error} where a sample is no statement of PostgreSQL. */
export async function constructReference(probes: readonly Probe[]): Promise<string> {
  const parts: string[] = []
  for (const [title, list] of Object.entries(constructs)) {
    const rows: string[][] = []
    for (const construct of list) rows.push([construct.name, ...(await cellsOf(construct, probes))])
    const databases = probes.map(({ name }) => name)
    parts.push(`## ${title}\n\n${databaseTable(title, databases, rows)}\n`)
  }
  return `${pageHead(
    'Constructs of SQL',
    'What each database answers, found by asking its printer for a sample of each when this page was made.',
    'wide',
  )}
"yes" is the same answer as PostgreSQL's. "no" is a refusal (SQLSTATE \`0A000\`) before anything is sent to the database, with the part that is
refused. "not built in" means that SQLite answers with a function that Engine adds, and a libSQL server takes none.

A sample is one form of a construct. Another form may be refused for a part of its own: its message names the part and the place.
A directory of CSV files is asked through SQLite; it is [read-only](../packages/adapters-csv.md) unless it is declared writable.

${parts.join('\n')}`
}

async function cellsOf(
  { name, sql }: Construct,
  probes: readonly Probe[],
): Promise<readonly string[]> {
  const cells: string[] = []
  for (const probe of probes) cells.push(cellText(await probe.ask(sql), name, probe.name))
  return cells
}

function cellText(verdict: Verdict, name: string, database: string): string {
  switch (verdict.kind) {
    case 'answered':
      return 'yes'
    case 'refused':
      return refusalCell(verdict.reason, name)
    case 'wrong':
      throw new Error(`${name} on ${database}: ${verdict.message}`)
  }
}
