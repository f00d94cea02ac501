/**
 * @module SQL under construction, for every dialect: text that the printer made and values that stay values. A piece of
 * text is a literal of our own sources, a quoted name, a checked symbol or an integer: the types take no other string.
 * Fragments are immutable: built in any order, used twice or dropped. Placeholders get their numbers in `renderSql`.
 */
import type { ValueSource } from '../value-source.ts'

/** A fragment of SQL. Made by the functions of this file only. */
export interface Sql {
  /** In the order of the text: text, a name, the source of a parameter, or a nested fragment. */
  readonly pieces: readonly (string | NamePiece | ParameterPiece | Sql | (() => Sql))[]
}

interface NamePiece {
  readonly name: string
}

interface ParameterPiece {
  readonly source: ValueSource
}

/** Refuses anything but a literal type, so that no computed text can be taken for SQL. */
type LiteralText<Text extends string> = string extends Text ? never : Text

/** `` sql`(${left} and ${right})` ``: what is interpolated is a fragment, never a string. */
export function sql(texts: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  const pieces: (string | Sql)[] = []
  for (const [index, text] of texts.entries()) {
    if (text !== '') pieces.push(text)
    const fragment = fragments[index]
    if (fragment !== undefined) pieces.push(fragment)
  }
  return { pieces }
}

/** Text out of our own sources or tables: `keyword('union')`, `` keyword(`t${id}`) ``. */
export function keyword<Text extends string>(text: LiteralText<Text>): Sql {
  return { pieces: [text] }
}

/** A name of the catalog between the dialect's quotes, inner ones doubled. */
export function identifier(name: string): Sql {
  if (name === '' || name.includes('\0')) throw new Error('not a name that a database can have')
  return { pieces: [{ name }] }
}

/** A name without quotes where it needs none. Only for places where every keyword is a name, as behind a dot. */
export function memberName(name: string): Sql {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? { pieces: [name] } : identifier(name)
}

/** `"a"."b"`; parts that are undefined are left out. */
export function qualifiedName(...parts: readonly (string | undefined)[]): Sql {
  const names = parts.filter((part) => part !== undefined)
  return joinSql(names.map(identifier), '.')
}

/** An operator by its symbol, characters checked. */
export function operatorSymbol(symbol: string): Sql {
  // `--` and `/*` would begin a comment.
  if (!/^[-+*/<>=~!@#%^&|`?]+$/.test(symbol) || /--|\/\*/.test(symbol)) {
    throw new Error(`not an operator: ${symbol}`)
  }
  return { pieces: [symbol] }
}

/** A structural number of the printer's own, never a client's value. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`not an integer: ${value}`)
  return { pieces: [String(value)] }
}

/** A placeholder. The same source gets the same number where the dialect has numbers. */
export function parameter(source: ValueSource): Sql {
  return { pieces: [{ source }] }
}

/**
 * A fragment that is made when the statement is complete: a derived table that exports what the rest of the statement
 * turned out to use.
 */
export function deferred(make: () => Sql): Sql {
  return { pieces: [make] }
}

export function joinSql<Text extends string>(
  fragments: readonly Sql[],
  separator: LiteralText<Text>,
): Sql {
  return { pieces: fragments.flatMap((each, index) => (index === 0 ? [each] : [separator, each])) }
}

/** Fragments that are there, with single blanks between them. */
export function clauses(...fragments: readonly (Sql | undefined)[]): Sql {
  return joinSql(
    fragments.filter((each) => each !== undefined),
    ' ',
  )
}

export function commaList(fragments: readonly Sql[]): Sql {
  return joinSql(fragments, ', ')
}

/** How a dialect writes the n-th placeholder (from 1). `positional` ones are repeated with their value. */
export type PlaceholderStyle =
  | { readonly kind: 'numbered'; readonly prefix: '$' | '?' }
  | { readonly kind: 'positional' }

/** What a dialect puts around names. */
export type NameQuote = '"' | '`'

export interface RenderedSql {
  readonly text: string
  /** In the order of the placeholders' numbers (or occurrences). */
  readonly parameters: readonly ValueSource[]
}

/** The finished text and where its parameters come from. */
export function renderSql(
  fragment: Sql,
  style: PlaceholderStyle,
  quote: NameQuote = '"',
): RenderedSql {
  const texts: string[] = []
  const parameters: ValueSource[] = []
  const numbers = new Map<string, number>()
  const placeholder = (source: ValueSource): string => {
    if (style.kind === 'positional') {
      parameters.push(source)
      return '?'
    }
    const key = sourceKey(source)
    const number = numbers.get(key) ?? parameters.push(source)
    numbers.set(key, number)
    return `${style.prefix}${number}`
  }
  const write = (part: Sql): void => {
    for (const piece of part.pieces) {
      if (typeof piece === 'string') texts.push(piece)
      else if (typeof piece === 'function') write(piece())
      else if ('source' in piece) texts.push(placeholder(piece.source))
      else if ('name' in piece) texts.push(quoted(piece.name, quote))
      else write(piece)
    }
  }
  write(fragment)
  return { text: texts.join(''), parameters }
}

function quoted(name: string, quote: NameQuote): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
}

/** Equal for sources that always give the same value of the same type. */
function sourceKey(source: ValueSource): string {
  switch (source.from) {
    case 'request':
      return JSON.stringify(['request', source.index, source.type.oid])
    case 'caller':
      return JSON.stringify(['caller', source.slot.path, source.slot.type])
    case 'constant':
      return JSON.stringify(['constant', source.type, source.value])
    case 'requestTime':
      return JSON.stringify(['requestTime', source.type, source.offsetMs, source.calendar])
    case 'clampedLimit':
      return JSON.stringify(['clampedLimit', source.index, source.max, source.isOffset === true])
    case 'step':
      return JSON.stringify(['step', source.step])
  }
}
