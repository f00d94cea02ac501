/** @module The page about constructs of SQL: what each database answers, found by asking its printer. */
import { type Construct, constructs } from './constructs.ts'
import { markdownTable, pageHead, safeText } from './markdown.ts'
import type { Probe, Verdict } from './probe.ts'

/** @throws {Error} where a sample is no statement of PostgreSQL. */
export async function constructReference(probes: readonly Probe[]): Promise<string> {
  const parts: string[] = []
  for (const [title, list] of Object.entries(constructs)) {
    const rows: string[][] = []
    for (const construct of list) rows.push([construct.name, ...(await cellsOf(construct, probes))])
    const head = [title.toLowerCase(), ...probes.map(({ name }) => name)]
    parts.push(`## ${title}\n\n${markdownTable(head, rows)}\n`)
  }
  return `${pageHead(
    'Constructs of SQL',
    'What each database answers, found by asking its printer for a sample of each when this page was made.',
  )}
"yes" is the same answer as PostgreSQL's. Otherwise the cell says what is refused (0A000), before anything is sent to the database. A sample is one
form of a construct: others may be refused for a part of their own, with a message that names the part and its place.

${parts.join('\n')}`
}

async function cellsOf(
  { name, sql }: Construct,
  probes: readonly Probe[],
): Promise<readonly string[]> {
  const cells: string[] = []
  for (const probe of probes) cells.push(cellText(await probe.ask(sql), `${name} on ${probe.name}`))
  return cells
}

function cellText(verdict: Verdict, place: string): string {
  switch (verdict.kind) {
    case 'answered':
      return 'yes'
    case 'refused':
      return `no: ${safeText(verdict.reason)}`
    case 'wrong':
      throw new Error(`${place}: ${verdict.message}`)
  }
}
