/**
 * @module A statement as a tree that can be printed for several databases and made smaller. Only text from the grammar
 * is ever printed: a tree has no meaning besides its text and the places where parts may be left out or replaced.
 */
import type { JsonValue } from '@engine/corpus'

export type Tree = string | Group | List | Maybe | TableName | Value | Split

/** Parts side by side. Groups of the same sort can replace each other: `e:int4`, `q:text,int4`. */
export interface Group {
  readonly kind: 'group'
  readonly sort: string
  readonly parts: readonly Tree[]
}

/** Items of which some may be left out. */
export interface List {
  readonly kind: 'list'
  readonly items: readonly Tree[]
  readonly separator: string
  readonly least: number
}

/** A clause that may be left out; undefined when it was. */
export interface Maybe {
  readonly kind: 'maybe'
  readonly part: Tree | undefined
}

/** A table of the world: each side of a comparison has its own name for it. */
export interface TableName {
  readonly kind: 'table'
  readonly name: string
  /** It is the target of a write. */
  readonly isTarget: boolean
}

/** A parameter of the statement. */
export interface Value {
  readonly kind: 'value'
  readonly value: JsonValue
  /** The type of its cast; undefined where the context determines it. */
  readonly type: string | undefined
}

/** The text for the engine, and the text for the reference in its place. */
export interface Split {
  readonly kind: 'split'
  readonly engine: Tree
  readonly reference: Tree
}

/** A template that creates a group of `sort`. */
export function group(sort: string): (texts: TemplateStringsArray, ...parts: Tree[]) => Group {
  return (texts, ...parts) => ({
    kind: 'group',
    sort,
    parts: texts.flatMap((text, i): Tree[] => {
      const part = parts[i]
      return [...(text === '' ? [] : [text]), ...(part === undefined ? [] : [part])]
    }),
  })
}

/** A template without a sort of its own. */
export const plain: (texts: TemplateStringsArray, ...parts: Tree[]) => Group = group('')

export function groupOf(sort: string, parts: readonly Tree[]): Group {
  return { kind: 'group', sort, parts }
}

export function list(items: readonly Tree[], separator = ', ', least = 1): List {
  return { kind: 'list', items, separator, least }
}

export function maybe(part: Tree | undefined): Maybe {
  return { kind: 'maybe', part }
}

export function table(name: string, isTarget = false): TableName {
  return { kind: 'table', name, isTarget }
}

export interface PrintOptions {
  /** The qualified name of a table. */
  readonly table: (name: string, isTarget: boolean) => string
  /** The side of a `Split` that is printed. */
  readonly side: 'engine' | 'reference'
  /** Every constant becomes a subquery, so that none is computed before it is needed. */
  readonly isLazy?: boolean
  /** Values become constants in the text. */
  readonly isInline?: boolean
  /**
   * Without WHERE and LIMIT 0, and every join without its condition: the remaining expressions are computed for all
   * rows that a plan may read.
   */
  readonly isUnfiltered?: boolean
}

export interface PrintedStatement {
  readonly sql: string
  readonly params: readonly JsonValue[]
}

/** The text of a statement; its values become `$1`, `$2` ... in the order of the text, a repeated one keeps its number. */
export function printTree(tree: Tree, options: PrintOptions): PrintedStatement {
  const { table: tableName, side, isLazy = false, isInline = false, isUnfiltered = false } = options
  const params: JsonValue[] = []
  const numbers = new Map<Value, number>()
  const print = (part: Tree): string => {
    if (typeof part === 'string') return isUnfiltered && part === ' limit 0' ? '' : part
    switch (part.kind) {
      case 'group': {
        if (isUnfiltered && part.parts[0] === ' limit ' && part.parts[1] === '0') return ''
        const text = part.parts
          .map((each, i) => (isUnfiltered && part.parts[i - 1] === ' on ' ? 'true' : print(each)))
          .join('')
        return isLazy && isConstant(part) ? `(select ${text})` : text
      }
      case 'list':
        return part.items.map(print).join(part.separator)
      case 'maybe':
        if (part.part === undefined || (isUnfiltered && isWhere(part.part))) return ''
        return print(part.part)
      case 'table':
        return tableName(part.name, part.isTarget)
      case 'value': {
        if (isInline) return inlined(part)
        const number = numbers.get(part) ?? params.push(part.value)
        numbers.set(part, number)
        return part.type === undefined ? `$${number}` : `$${number}::${part.type}`
      }
      case 'split':
        return print(part[side])
    }
  }
  return { sql: print(tree), params }
}

function isWhere(part: Tree): boolean {
  return typeof part === 'object' && part.kind === 'group' && part.parts[0] === ' where '
}

function inlined({ value, type }: Value): string {
  const text = value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`
  return type === undefined ? text : `${text}::${type}`
}

function isConstant({ sort, parts }: Group): boolean {
  const [only, ...others] = parts
  if (!sort.startsWith('e:') || others.length > 0 || only === undefined) return false
  return typeof only === 'string' ? !/^[a-z]\w*\.\w+$/.test(only) : only.kind === 'value'
}
