/** @module The page `docs/sql.md`: what each database answers, from the recording. */
import { databaseNames } from './construct.ts'
import { grammarChapters } from './grammar/chapters.ts'
import { isAnswered, partly, type Recorded } from './recording.ts'
import { shortReason } from './short-reason.ts'

/** Path of the page. */
export const pagePath: URL = new URL('../../../docs/sql.md', import.meta.url)

/** Chapters behind those of the grammar, in this order. */
const catalogChapters: readonly string[] = [
  'Data types',
  'Casts',
  'Logic and comparison',
  'Numbers',
  'Text',
  'Bytes',
  'Bit strings',
  'Date and time',
  'JSON',
  'Arrays',
  'UUID',
  'Enums',
  'Ranges',
  'Network addresses',
  'Text search',
  'Geometry',
  'Money',
  'XML',
  'Aggregates',
  'Window functions',
  "The server's own",
]

/** All constructs of one row: the overloads of a function, the pairs of types of an operator. */
interface PageRow {
  readonly name: string
  readonly constructs: readonly Recorded[]
}

export function pageText(recorded: readonly Recorded[]): string {
  const names = [...grammarChapters.map(([name]) => name), ...catalogChapters]
  const unknown = recorded.find(({ chapter }) => !names.includes(chapter))
  if (unknown !== undefined) throw new Error(`the page has no chapter ${unknown.chapter}`)
  const chapters = names.map((name) => chapterText(name, rowsOf(recorded, name)))
  const links = names.map((name) => `[${name}](#${anchor(name)})`)
  return [introduction(recorded), `${links.join(' · ')}\n`, ...chapters].join('\n')
}

function introduction(recorded: readonly Recorded[]): string {
  const counts = databaseNames.map((name, index) => {
    const yes = recorded.filter(({ words }) => isAnswered(words[index])).length
    return `| ${name} | ${yes} | ${recorded.length - yes} |`
  })
  return `<!-- Written by \`pnpm record\` in tooling/constructs. Do not edit. -->

# SQL, database by database

Does it work on your database? Search this page for a clause, a function, an operator or a type. It lists what the grammar and the
catalogs of PostgreSQL 15 have. Each line was run on every database and on PostgreSQL itself, over a table with a column for every type:
**yes** means the same answer. Everything else is refused, with the reason: no database gives another answer.

| database | the same answer | refused |
|---|---|---|
${counts.join('\n')}

libSQL and CSV directories use the SQL of SQLite; a libSQL server answers [less of it](databases.md#choosing-a-database). Statements that come over
the wire protocol may be [more](pgwire.md#supported-features): transactions, cursors, COPY, settings. Statements without a table run on the database there, too; what it cannot answer is asked of the [catalogs](pgwire.md#tables).

**mostly**: the same answer, but some values are refused (a year after 9999, a regular expression that the database reads differently).
"Yes, not \`x\`": the other types of the same name are answered. Columns of types that MariaDB, MySQL and SQLite do not have are tried as literals.
`
}

function rowsOf(recorded: readonly Recorded[], chapter: string): readonly PageRow[] {
  const rows = new Map<string, Recorded[]>()
  for (const each of recorded.filter((other) => other.chapter === chapter)) {
    rows.set(each.row, [...(rows.get(each.row) ?? []), each])
  }
  return [...rows].map(([name, constructs]) => ({ name, constructs }))
}

function chapterText(name: string, rows: readonly PageRow[]): string {
  const answered = rows.filter(isAnsweredSomewhere)
  const nowhere = rows.filter((row) => !isAnsweredSomewhere(row))
  const table = answered.length === 0 ? [] : [tableText(name, answered)]
  const list = nowhere.length === 0 ? [] : [nowhereText(nowhere)]
  return [`## ${name}\n`, ...table, ...list].join('\n')
}

function isAnsweredSomewhere({ constructs }: PageRow): boolean {
  return constructs.some(({ words }) => words.some(isAnswered))
}

function tableText(chapter: string, rows: readonly PageRow[]): string {
  const head = `| ${chapter === 'Casts' ? 'from' : ''} | ${databaseNames.join(' | ')} |`
  const lines = rows.map(
    ({ name, constructs }) =>
      `| ${code(name)} | ${databaseNames.map((_, index) => cell(constructs, index)).join(' | ')} |`,
  )
  return `${head}\n|${'---|'.repeat(databaseNames.length + 1)}\n${lines.join('\n')}\n`
}

/** Variants that are named in a cell. */
const mostNamed = 4

function cell(constructs: readonly Recorded[], index: number): string {
  const refused = constructs.filter(({ words }) => !isAnswered(words[index]))
  const yes = constructs.some(({ words }) => words[index]?.startsWith(partly)) ? 'mostly' : 'yes'
  if (refused.length === 0) return yes
  if (refused.length === constructs.length) return `no: ${reasonOf(refused, index)}`
  const answered = constructs.filter((each) => !refused.includes(each))
  return answered.length < refused.length
    ? `${named(answered)} only; others: ${reasonOf(refused, index)}`
    : `${yes}, not ${named(refused)}: ${reasonOf(refused, index)}`
}

function named(constructs: readonly Recorded[]): string {
  const names = constructs.map(({ variant }) =>
    variant === '' ? 'without arguments' : code(variant),
  )
  const more = names.length - mostNamed
  return more > 0 ? `${names.slice(0, mostNamed).join('; ')} and ${more} more` : names.join('; ')
}

/** The reason that most of them have. */
function reasonOf(refused: readonly Recorded[], index: number): string {
  const counts = new Map<string, number>()
  for (const { words } of refused) {
    const reason = shortReason(words[index] ?? '')
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return escaped([...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '')
}

/** What no database answers, by reason. */
function nowhereText(rows: readonly PageRow[]): string {
  const reasons = new Map<string, string[]>()
  for (const { name, constructs } of rows) {
    const reason = reasonOf(constructs, 0)
    reasons.set(reason, [...(reasons.get(reason) ?? []), code(name)])
  }
  const linesOf = (isMeant: (reason: string) => boolean) =>
    [...reasons]
      .filter(([reason]) => isMeant(reason))
      .map(([reason, names]) => `- ${reason}: ${names.join(', ')}`)
      .join('\n')
  const isUntried = (reason: string) => reason.startsWith('not tried')
  const refused = linesOf((reason) => !isUntried(reason))
  const untried = linesOf(isUntried)
  return [
    ...(refused === '' ? [] : [`On no database:\n\n${refused}\n`]),
    ...(untried === '' ? [] : [`Not tried:\n\n${untried}\n`]),
  ].join('\n')
}

function code(text: string): string {
  const shown = text.replaceAll('|', '\\|')
  return text.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*')
}

/** As sites make it from a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}
