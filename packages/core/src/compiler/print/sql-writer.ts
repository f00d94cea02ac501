/**
 * @module SQL under construction, for every dialect: the printer's own text, and values that are never part of the text. A piece
 * of text is a literal of the engine's sources, a quoted name, a checked symbol or an integer: the types take no other string.
 * Fragments are immutable: built in any order, used twice or dropped. Placeholders get their numbers in `renderSql`.
 */
import { runSteps, type Steps } from '../../foundation/steps.ts'
import { chargePlanning, requirePlannable } from '../budget/planning-budget.ts'
import type { NativeSql } from '../catalog/unique-index.ts'
import type { RepeatedRow } from '../sql/repeated-rows.ts'
import type { Oid } from '../sql-types/pg-type.ts'
import type { ValueSource } from '../sql-types/value-source.ts'

type Piece = string | NamePiece | ParameterPiece | VolatilePiece | ShiftedPiece | Sql | (() => Sql)

/** A fragment of SQL. Made by the functions of this file only. */
export interface Sql {
  /** Pieces of its text; those of nested fragments count once for each occurrence. */
  readonly size: number
  /** Pieces of the text after the database's own expansion: more, where it copies parts of it. See `copiedByDatabase`. */
  readonly parsedSize: number
  /** It would have another meaning inside a subquery, or a part of it would: see `boundToLevel`. */
  readonly isBoundToLevel: boolean
  /** In the order of the text: text, a name, the source of a parameter, or a nested fragment. */
  readonly pieces: readonly Piece[]
}

interface NamePiece {
  readonly name: string
}

interface ParameterPiece {
  readonly source: ValueSource
}

/** Without text: marks a fragment whose value may differ between evaluations. */
interface VolatilePiece {
  readonly volatileCall: number
}

/** What a row of a repeated shape may consist of. */
type RowPiece = string | ParameterPiece | VolatilePiece

/** A fragment with other parameters of the client: `shift` is added to their numbers. */
interface ShiftedPiece {
  readonly row: Sql
  readonly shift: number
}

/**
 * Every fragment is made here. A fragment may be used in others any number of times, so that its text can be exponentially longer
 * than the work of making it: its size is known at once, and a fragment that is too large to be written is refused.
 */
function fragmentOf(pieces: readonly Piece[]): Sql {
  chargePlanning(1)
  let size = 0
  let parsedSize = 0
  let isBoundToLevel = false
  for (const piece of pieces) {
    const fragment = fragmentIn(piece)
    size += fragment?.size ?? 1
    parsedSize += fragment?.parsedSize ?? 1
    isBoundToLevel ||= fragment?.isBoundToLevel === true
  }
  requirePlannable(size)
  // A fragment without text counts as one piece, so that the size bounds the work of walking through it.
  return {
    size: Math.max(size, 1),
    parsedSize: Math.max(parsedSize, 1),
    isBoundToLevel,
    pieces,
  }
}

function fragmentIn(piece: Piece): Sql | undefined {
  if (typeof piece !== 'object') return undefined
  if ('pieces' in piece) return piece
  return 'row' in piece ? piece.row : undefined
}

/** Refuses anything but a literal type, so that no computed text can be taken for SQL. */
type LiteralText<Text extends string> = string extends Text ? never : Text

/** `` sql`(${left} and ${right})` ``: what is interpolated is a fragment, never a string. */
export function sql(texts: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  const pieces: Piece[] = []
  for (const [index, text] of texts.entries()) {
    if (text !== '') pieces.push(text)
    const fragment = fragments[index]
    if (fragment !== undefined) pieces.push(fragment)
  }
  return fragmentOf(pieces)
}

/** Text from the engine's own sources or tables: `keyword('union')`, `` keyword(`t${id}`) ``. */
export function keyword<Text extends string>(text: LiteralText<Text>): Sql {
  return fragmentOf([text])
}

/** A name of the catalog between the dialect's quotes, inner ones doubled. */
export function identifier(name: string): Sql {
  if (name === '' || name.includes('\0')) throw new Error('not a name that a database can have')
  return fragmentOf([{ name }])
}

/** A name without quotes where it needs none. Only for places where every keyword is a name, as after a dot. */
export function memberName(name: string): Sql {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? fragmentOf([name]) : identifier(name)
}

/** `"a"."b"`; parts that are undefined are left out. */
export function qualifiedName(...parts: readonly (string | undefined)[]): Sql {
  const names = parts.filter((part) => part !== undefined)
  return joinSql(names.map(identifier), '.')
}

/** An expression of the database's own catalog, as it spelled it itself: no other text of another origin is ever printed. */
export function catalogSql({ native }: NativeSql): Sql {
  return fragmentOf([native])
}

/** An operator by its symbol, characters checked. */
export function operatorSymbol(symbol: string): Sql {
  // `--` and `/*` would begin a comment.
  if (!/^[-+*/<>=~!@#%^&|`?]+$/.test(symbol) || /--|\/\*/.test(symbol)) {
    throw new Error(`not an operator: ${symbol}`)
  }
  return fragmentOf([symbol])
}

/** A structural number of the printer's own, never a client's value. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`not an integer: ${value}`)
  return fragmentOf([String(value)])
}

/** A placeholder. The same source gets the same number where the dialect has numbers. */
export function parameter(source: ValueSource): Sql {
  return fragmentOf([{ source }])
}

/**
 * The same text, which must not be moved into a subquery, such as a window call. A fragment that contains it must not be moved
 * either.
 */
export function boundToLevel(fragment: Sql): Sql {
  return { ...fragmentOf([fragment]), isBoundToLevel: true }
}

/** A query: its parts are bound to the query itself. */
export function ownLevel(query: Sql): Sql {
  return query.isBoundToLevel ? { ...fragmentOf([query]), isBoundToLevel: false } : query
}

/**
 * The same text, parts of which the database copies before it plans.
 *
 * @param pieces number of pieces of all copies.
 */
export function copiedByDatabase(fragment: Sql, pieces: number): Sql {
  return { ...fragment, parsedSize: fragment.parsedSize + pieces }
}

/**
 * A fragment that calls a volatile function of the client.
 *
 * @param call identifies the call within a statement: its position in the client's text.
 */
export function volatileCall(call: number, fragment: Sql): Sql {
  return fragmentOf([{ volatileCall: call }, fragment])
}

/**
 * A fragment that is made when the statement is complete: a derived table that exports the columns used by the rest of the
 * statement.
 */
export function deferred(make: () => Sql): Sql {
  return fragmentOf([make])
}

/** Joins fragments with a separator, which is a literal of the source text. */
export function joinSql<Text extends string>(
  fragments: readonly Sql[],
  separator: LiteralText<Text>,
): Sql {
  return fragmentOf(fragments.flatMap((each, index) => (index === 0 ? [each] : [separator, each])))
}

/** The fragments that are not undefined, separated by single blanks. */
export function clauses(...fragments: readonly (Sql | undefined)[]): Sql {
  return joinSql(
    fragments.filter((each) => each !== undefined),
    ' ',
  )
}

/** Joins fragments with commas. */
export function commaList(fragments: readonly Sql[]): Sql {
  return joinSql(fragments, ', ')
}

/** The rows of VALUES, from one fragment for each shape. @see RepeatedRows */
export function repeatedRows(shapes: readonly Sql[], rows: readonly RepeatedRow[]): Sql {
  const pieces: Piece[] = []
  for (const { shape, shift } of rows) {
    const row = shapes[shape]
    if (row === undefined) throw new Error(`there is no row of the shape ${shape}`)
    if (pieces.length > 0) pieces.push(', ')
    pieces.push({ row, shift })
  }
  return fragmentOf(pieces)
}

/**
 * The same SQL with some fragments replaced. Each is visited once, however often it occurs.
 *
 * @param replace returns undefined for a fragment of which only the parts are rewritten; `again` rewrites a part.
 */
export function rewriteSql(
  fragment: Sql,
  replace: (part: Sql, again: (part: Sql) => Sql) => Sql | undefined,
): Sql {
  const known = new Map<Sql, Sql>()
  const again = (part: Sql): Sql => {
    const found = known.get(part)
    if (found !== undefined) return found
    const made = replace(part, again) ?? rebuilt(part)
    known.set(part, made)
    return made
  }
  const rebuilt = (part: Sql): Sql => {
    const { isBoundToLevel, parsedSize } = part
    return { ...fragmentOf(part.pieces.map(rewritePiece)), isBoundToLevel, parsedSize }
  }
  const rewritePiece = (piece: Piece): Piece => {
    if (typeof piece === 'function') return () => again(piece())
    if (typeof piece === 'object' && 'row' in piece) return { ...piece, row: again(piece.row) }
    return typeof piece === 'object' && 'pieces' in piece ? again(piece) : piece
  }
  return again(fragment)
}

/** How a dialect writes the n-th placeholder (from 1). `positional` ones are repeated with their value. */
export type PlaceholderStyle =
  | { readonly kind: 'numbered'; readonly prefix: '$' | '?' }
  | { readonly kind: 'positional' }

/** The quotes of names in a dialect. */
export type NameQuote = '"' | '`'

/** SQL text with the sources of its parameters. */
export interface RenderedSql {
  readonly text: string
  /** In the order of the placeholders' numbers (or occurrences). */
  readonly parameters: readonly ValueSource[]
  /** See `volatileCall`: once for each occurrence of a call in the text. */
  readonly volatileCalls: readonly number[]
}

/**
 * The finished text and the sources of its parameters.
 *
 * @throws {GatewayError} `limitExceeded` before anything is written, see `chargePlanning`.
 */
export function renderSql(
  fragment: Sql,
  style: PlaceholderStyle,
  quote: NameQuote = '"',
): RenderedSql {
  return runSteps(renderInSteps(fragment, style, quote))
}

/** Pieces that are written in one step. */
const piecesInOneStep = 5_000

/** The same in steps. */
export function* renderInSteps(
  fragment: Sql,
  style: PlaceholderStyle,
  quote: NameQuote = '"',
): Steps<RenderedSql> {
  const texts: string[] = []
  const parameters: ValueSource[] = []
  const volatileCalls: number[] = []
  const numberOf = createNumbering()
  const placeholder = (source: ValueSource): string => {
    if (style.kind === 'positional') {
      parameters.push(source)
      return '?'
    }
    const number = numberOf(source, parameters.length + 1)
    if (number > parameters.length) parameters.push(source)
    return `${style.prefix}${number}`
  }
  const rows = new Map<Sql, readonly RowPiece[]>()
  const writeRow = ({ row, shift }: ShiftedPiece): void => {
    const pieces = rows.get(row) ?? flat(row)
    rows.set(row, pieces)
    let text = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece
      else if ('source' in piece) text += placeholder(shifted(piece.source, shift))
      else volatileCalls.push(piece.volatileCall)
    }
    texts.push(text)
  }
  /** Adjacent texts as one. */
  const flat = (row: Sql): readonly RowPiece[] => {
    const pieces: RowPiece[] = []
    let text = ''
    const add = (part: Sql): void => {
      for (const piece of part.pieces) {
        if (typeof piece === 'string') text += piece
        else if (typeof piece === 'function') add(piece())
        else if ('source' in piece || 'volatileCall' in piece) {
          pieces.push(text, piece)
          text = ''
        } else if ('name' in piece) text += quoted(piece.name, quote)
        else if ('pieces' in piece) add(piece)
        else throw new Error('such a row cannot be repeated')
      }
    }
    add(row)
    return [...pieces, text]
  }
  // The fragments that are being written, the innermost last: a loop can pause where a recursion cannot.
  const open: { readonly pieces: readonly Piece[]; next: number }[] = []
  const writeLater = ({ pieces }: Sql): void => void open.push({ pieces, next: 0 })
  const writeDeferred = (part: Sql): void => {
    chargePlanning(part.size)
    writeLater(part)
  }
  writeDeferred(fragment)
  let untilPause = piecesInOneStep
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const piece = top.pieces[top.next]
    top.next += 1
    if (piece === undefined) open.pop()
    else if (typeof piece === 'string') texts.push(piece)
    else if (typeof piece === 'function') writeDeferred(piece())
    else if ('pieces' in piece) writeLater(piece)
    else if ('source' in piece) texts.push(placeholder(piece.source))
    else if ('name' in piece) texts.push(quoted(piece.name, quote))
    else if ('volatileCall' in piece) volatileCalls.push(piece.volatileCall)
    else {
      writeRow(piece)
      untilPause -= piece.row.size
    }
    untilPause -= 1
    if (untilPause > 0) continue
    untilPause = piecesInOneStep
    yield
  }
  return { text: texts.join(''), parameters, volatileCalls }
}

/**
 * Returns the number of a source, or `next` for a new one. Parameters of the client can be many: they are found by their index,
 * unless one has two types. A fragment may be written many times: its sources are found without making their keys again.
 */
function createNumbering(): (source: ValueSource, next: number) => number {
  const known = new Map<ValueSource, number>()
  const numbers = new Map<string, number>()
  const ofRequest: { readonly oid: Oid; readonly number: number }[] = []
  return (source, next) => {
    if (source.from === 'request') {
      const found = ofRequest[source.index]
      if (found === undefined) ofRequest[source.index] = { oid: source.type.oid, number: next }
      if (found === undefined || found.oid === source.type.oid) return found?.number ?? next
    }
    const before = known.get(source)
    if (before !== undefined) return before
    const key = sourceKey(source)
    const number = numbers.get(key) ?? next
    numbers.set(key, number)
    known.set(source, number)
    return number
  }
}

function shifted(source: ValueSource, shift: number): ValueSource {
  return shift === 0 || source.from !== 'request'
    ? source
    : { ...source, index: source.index + shift }
}

function quoted(name: string, quote: NameQuote): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
}

/** Equal for sources that always have the same value of the same type. */
function sourceKey(source: ValueSource): string {
  switch (source.from) {
    case 'request':
      return JSON.stringify(['request', source.index, source.type.oid, source.form])
    case 'caller':
      return JSON.stringify(['caller', source.slot.path, source.slot.type])
    case 'constant':
      return JSON.stringify(['constant', source.type, source.value])
    case 'requestTime':
      return JSON.stringify([
        'requestTime',
        source.type,
        source.offsetMs,
        source.calendar,
        source.zone,
        source.ofTransaction === true,
      ])
    case 'clampedLimit':
      return JSON.stringify(['clampedLimit', source.index, source.max, source.isOffset === true])
    case 'step':
      return JSON.stringify(['step', source.step])
  }
}
