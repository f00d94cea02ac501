/** @module The sequence that a call of nextval() names. Only constants name one: it has to be known before anything runs. */
import type { FuncCall, Node, RangeVar, TypeCast } from '@pgsql/types'
import { bindError } from './bind-error.ts'

/** Names as the client wrote them; they need not exist. */
export type SequenceName =
  | { readonly kind: 'sequence'; readonly relation: RangeVar }
  /** `pg_get_serial_sequence('orders', 'id')` */
  | { readonly kind: 'column'; readonly relation: RangeVar; readonly column: string }

/**
 * @param call of `nextval` and `currval`, or of `setval`, which has more arguments.
 * @returns undefined where the argument is no constant.
 * @throws {GatewayError} 42602 for a text that is no name.
 */
export function sequenceNameOf({ funcname, args = [] }: FuncCall): SequenceName | undefined {
  const [arg, ...others] = args
  if (arg === undefined) return undefined
  if (others.length > 0 && plainName(funcname) !== 'setval') return undefined
  const plain = withoutCasts(arg)
  if ('FuncCall' in plain) return columnNameOf(plain.FuncCall)
  const text = constantText(plain)
  return text === undefined ? undefined : { kind: 'sequence', relation: named(text) }
}

function columnNameOf({ funcname, args = [] }: FuncCall): SequenceName | undefined {
  const [table, column, ...others] = args.map((arg) => constantText(withoutCasts(arg)))
  const name = plainName(funcname)
  if (name !== 'pg_get_serial_sequence' || table === undefined || column === undefined) {
    return undefined
  }
  if (others.length > 0) return undefined
  return { kind: 'column', relation: named(table), column: column.text }
}

/** The name of a built-in function or type; undefined for any other. */
export function plainName(nodes: readonly Node[] | undefined): string | undefined {
  const parts = (nodes ?? []).map((node) => ('String' in node ? (node.String.sval ?? '') : ''))
  const [first, second, ...others] = parts
  if (second === undefined) return first
  return first === 'pg_catalog' && others.length === 0 ? second : undefined
}

const textTypes: ReadonlySet<string> = new Set(['regclass', 'text', 'varchar'])

/** Casts to the types of names change nothing: `'orders_id_seq'::text::regclass`. */
function withoutCasts(node: Node): Node {
  if (!('TypeCast' in node)) return node
  const { arg, typeName }: TypeCast = node.TypeCast
  const isName =
    textTypes.has(plainName(typeName?.names) ?? '') &&
    typeName?.arrayBounds === undefined &&
    typeName?.typmods === undefined
  return arg === undefined || !isName ? node : withoutCasts(arg)
}

interface ConstantText {
  readonly text: string
  readonly location: number | undefined
}

/** The parser leaves an empty text out. */
function constantText(node: Node): ConstantText | undefined {
  if (!('A_Const' in node) || node.A_Const.sval === undefined) return undefined
  const { sval, location } = node.A_Const
  return { text: sval.sval ?? '', location }
}

/** A part of a name and what follows it: `"Odd ""name"""`, `Orders`. */
const part = /^\s*(?:"((?:[^"]|"")+)"|([^\s".]+))\s*(\.|$)/

/** Reads a name as `'…'::regclass` does: letters outside of quotes are lower case. */
function named({ text, location }: ConstantText): RangeVar {
  const parts: string[] = []
  let rest = text
  for (let isOpen = true; isOpen; ) {
    const [all = '', quoted, plain = '', end] = part.exec(rest) ?? []
    if (all === '' || parts.length === 3) {
      throw bindError('invalid name syntax', { sqlState: '42602', position: location })
    }
    parts.push(quoted?.replaceAll('""', '"') ?? plain.replace(/[A-Z]/g, (c) => c.toLowerCase()))
    rest = rest.slice(all.length)
    isOpen = end === '.'
  }
  const [relname = '', schemaname, catalogname] = parts.reverse()
  return {
    relname,
    ...(schemaname === undefined ? {} : { schemaname }),
    ...(catalogname === undefined ? {} : { catalogname }),
    ...(location === undefined ? {} : { location }),
  }
}

/**
 * The relation that a constant text names.
 *
 * @returns undefined for any other expression.
 * @throws {GatewayError} 42602 for a text that is no name.
 */
export function relationOfText(node: Node): RangeVar | undefined {
  const text = constantText(withoutCasts(node))
  return text && named(text)
}
