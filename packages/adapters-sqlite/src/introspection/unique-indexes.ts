/** @module Unique indexes that are no keys: SQLite has the text of their CREATE INDEX, and knows which parts are columns. */
import type { IndexPart, UniqueIndex } from '@engine/core/catalog'

export interface UniqueIndexRow {
  readonly index: string
  readonly partial: bigint
  /** Null for the index of a constraint, which has columns only. */
  readonly sql: string | null
  /** An expression has no name. */
  readonly name: string | null
  readonly collation: string
}

/** `?` is the table; rows in the order of index and column. */
export const uniqueIndexesQuery = `
  select i.name as "index", i.partial, s.sql, c.name, c.coll as collation
  from pragma_index_list(?) i join sqlite_schema s on s.type = 'index' and s.name = i.name, pragma_index_xinfo(i.name) c
  where i."unique" = 1 and c.key = 1
  order by i.seq desc, c.seqno`

/** Indexes of the rows of `uniqueIndexesQuery`, without those of plain columns and all rows. */
export function uniqueIndexesOf(rows: readonly UniqueIndexRow[]): readonly UniqueIndex[] {
  return [...Map.groupBy(rows, ({ index }) => index).values()].flatMap((parts) => {
    const isUsual = parts.every(
      ({ name, partial, collation }) =>
        name !== null && partial === 0n && collation.toUpperCase() === 'BINARY',
    )
    return isUsual ? [] : [uniqueIndex(parts)]
  })
}

function uniqueIndex(rows: readonly UniqueIndexRow[]): UniqueIndex {
  const [first] = rows
  const { texts, condition } = definitionIn(first?.sql ?? '')
  return {
    name: first?.index ?? '',
    parts: rows.map(({ name, collation }, place): IndexPart => {
      const isBinary = collation.toUpperCase() === 'BINARY'
      return {
        native: name === null ? `(${expressionIn(texts[place] ?? '')})` : quoted(name),
        collation: isBinary ? undefined : { name: collation, native: quoted(collation) },
      }
    }),
    condition: condition === undefined ? undefined : { native: condition },
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `lower(email) collate nocase desc` → `lower(email)` */
function expressionIn(text: string): string {
  return text
    .replace(/\s+(?:asc|desc)\s*$/i, '')
    .replace(/\s+collate\s+(?:"(?:[^"]|"")*"|\w+)\s*$/i, '')
    .trim()
}

interface IndexText {
  readonly texts: readonly string[]
  readonly condition: string | undefined
}

const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\s\S]/g

/** `create unique index i on t (a, lower(b)) where c > 0` → the texts `a` and `lower(b)`, and `c > 0` */
function definitionIn(sql: string): IndexText {
  const texts = ['']
  let depth = 0
  let rest: string | undefined
  for (const [token] of sql.matchAll(tokens)) {
    const text = token.startsWith('--') || token.startsWith('/*') ? ' ' : token
    if (rest !== undefined) {
      rest += text
      continue
    }
    if (text === ')') depth -= 1
    if (depth === 0 && text === ')') rest = ''
    else if (depth === 1 && text === ',') texts.push('')
    else if (depth > 0) texts.push(`${texts.pop()}${text}`)
    if (text === '(') depth += 1
  }
  const condition = rest
    ?.trim()
    .replace(/^where\b/i, '')
    .trim()
  return { texts, condition: condition === '' ? undefined : condition }
}
