/** @module The page about functions and operators: what each database answers, found by asking its printer. */
import { builtinFunctions, builtinOperators, type PgFunction } from '@engine/core/catalog'
import { callOf } from '@engine/fuzz/nesting'
import { topicOf, topics } from './function-topic.ts'
import { code, databaseTable, pageHead } from './markdown.ts'
import type { Probe, Verdict } from './probe.ts'
import { refusalCell } from './refusal-cell.ts'
import { sampleArguments, sampleValue } from './sample-arguments.ts'

/** Constants for arguments that some databases only take as constants: formats, names of units and zones, encodings. */
const constants = ["'YYYY-MM-DD'", "'month'", "'UTC'", "'hex'", "'a'"] as const

interface Entry {
  /** `lower(text)`, `int4 + int4`. */
  readonly signature: string
  /** Statements that use it; the first one has columns as arguments. */
  readonly statements: readonly string[]
}

/** What a database answers: all of it, with constants only, or nothing, and why. */
type Cell = 'yes' | 'constants' | { readonly reason: string }

export async function functionReference(probes: readonly Probe[]): Promise<string> {
  const functions = builtinFunctions.filter(
    ({ isAllowed, isOfOperator }) => isAllowed && isOfOperator !== true,
  )
  const kinds: readonly (readonly [string, readonly Entry[]])[] = [
    ...topics.map((topic) => {
      const plain = functions.filter((each) => each.kind === 'function' && !each.returnsSet)
      return [topic, plain.filter((each) => topicOf(each) === topic).flatMap(entryOf)] as const
    }),
    ['Functions in FROM', functions.filter(({ returnsSet }) => returnsSet).flatMap(entryOf)],
    ['Aggregates', functions.filter(({ kind }) => kind === 'aggregate').flatMap(entryOf)],
    ['Window functions', functions.filter(({ kind }) => kind === 'window').flatMap(entryOf)],
    ['Operators', operatorEntries()],
  ]
  const parts: string[] = []
  for (const [title, entries] of kinds) parts.push(await section(title, entries, probes))
  return `${pageHead(
    'Functions and operators',
    'What each database answers, found by asking its printer when this page was made.',
    'wide',
  )}
| cell | |
|---|---|
| yes | answered, with the same values as from PostgreSQL |
| constants | answered where some arguments, such as a format, are constants or parameters of the statement |
| no | refused (SQLSTATE \`0A000\`), before anything is sent to the database; with the part that is refused, where it is not the function itself |
| no: not built in | SQLite answers with a function that Engine adds. A libSQL server takes none |

Functions and operators of enums and of types such as \`oid\` are left out, and so are functions that implement an operator (\`int4pl\` is \`+\`). Any other one that is not listed is refused on every database.
A directory of CSV files is asked through SQLite.

${parts.join('\n')}`
}

async function section(
  title: string,
  entries: readonly Entry[],
  probes: readonly Probe[],
): Promise<string> {
  const rows = new Map<string, { readonly signatures: string[]; readonly cells: readonly Cell[] }>()
  for (const { signature, statements } of entries) {
    const cells = await cellsOf(statements, probes)
    if (cells === undefined) continue
    const key = JSON.stringify([signature.replace(/\(.*$/, ''), cells])
    const known = rows.get(key)
    if (known === undefined) rows.set(key, { signatures: [signature], cells })
    else known.signatures.push(signature)
  }
  const lines = [...rows.values()]
    .toSorted((left, right) => (left.signatures.join() < right.signatures.join() ? -1 : 1))
    .map(({ signatures, cells }) => [signatures.map(code).join(', '), ...cells.map(cellText)])
  if (lines.length === 0) return ''
  return `## ${title}\n\n${databaseTable(
    title,
    probes.map(({ name }) => name),
    lines,
  )}\n`
}

/** @returns undefined where the samples are no statement of PostgreSQL. */
async function cellsOf(
  statements: readonly string[],
  probes: readonly Probe[],
): Promise<readonly Cell[] | undefined> {
  const cells: Cell[] = []
  for (const probe of probes) {
    const verdicts: Verdict[] = []
    for (const sql of statements) {
      verdicts.push(await probe.ask(sql))
      if (verdicts.at(-1)?.kind === 'answered') break
    }
    const refused = verdicts.find((verdict) => verdict.kind === 'refused')
    if (verdicts.at(-1)?.kind === 'answered')
      cells.push(refused === undefined ? 'yes' : 'constants')
    else if (refused !== undefined) cells.push({ reason: refused.reason })
    else return undefined
  }
  return cells
}

function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : refusalCell(cell.reason)
}

function entryOf(called: PgFunction): readonly Entry[] {
  const { signature } = called
  const rows = rowsFromJson(called)
  if (rows !== undefined) return [{ signature, statements: [rows] }]
  const columns = sampleArguments(called)
  if (columns === undefined) return []
  const variants = [columns, ...constants.map((constant) => withConstants(columns, constant))]
  const statements = variants.map((args) => statementOf(called, args))
  return [{ signature, statements: [...new Set(statements)] }]
}

/** Functions whose rows have the columns of a table, or of a column definition list; undefined for others. */
function rowsFromJson({ name, argumentOids }: PgFunction): string | undefined {
  const found = /^jsonb?_(?:(populate_record(?:set)?)|to_recordset)$/.exec(name)
  if (found === null) return undefined
  const [, populates] = found
  const document = name.startsWith('jsonb') ? 't.c_jsonb' : 't.c_json'
  const args = populates === undefined ? [document] : ['null::main.item', document, 'true']
  const call = `pg_catalog.${name}(${args.slice(0, argumentOids.length).join(', ')})`
  const alias = populates === undefined ? 'r(a int4)' : 'r'
  return `select * from main.item as t, lateral ${call} as ${alias}`
}

/** Columns of texts and integers become constants: a format is a text, a position a number. */
function withConstants(columns: readonly string[], text: string): readonly string[] {
  return columns.map((column, index) => {
    if (index === 0 && columns.length > 1 && text === "'a'") return column
    if (column === 't.c_text') return text
    return column === 't.c_int4' ? '1' : column
  })
}

function statementOf(called: PgFunction, args: readonly string[]): string {
  if (called.returnsSet) {
    return `select * from main.item as t, lateral ${callOf(called, args)} as r`
  }
  if (called.kind === 'window') {
    return `select ${callOf(called, args)} over (order by t.id) from main.item as t`
  }
  if (called.aggregateKind === 'orderedSet' || called.aggregateKind === 'hypotheticalSet') {
    const direct = called.directArgumentCount ?? 0
    const [given, sorted] = [args.slice(0, direct), args.slice(direct)]
    return `select ${callOf(called, given)} within group (order by ${sorted.join(', ')}) from main.item as t`
  }
  return `select ${callOf(called, args)} from main.item as t`
}

function operatorEntries(): readonly Entry[] {
  return builtinOperators
    .filter(({ isAllowed }) => isAllowed)
    .flatMap((operator): readonly Entry[] => {
      const right = sampleValue(operator.rightOid)
      const left = operator.leftOid === undefined ? '' : sampleValue(operator.leftOid)
      if (right === undefined || left === undefined) return []
      const expression = `${left} ${operator.name} ${right}`
      return [
        { signature: operator.signature, statements: [`select ${expression} from main.item as t`] },
      ]
    })
}
