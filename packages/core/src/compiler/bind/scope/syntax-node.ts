/**
 * @module Careful reading of the parser's tree. A node or field that no reading function names is refused. `location` is the
 * 1-based character position, absent where there is none.
 */
import type { Node } from '@pgsql/types'
import { unsupported } from '../../sql/bind-error.ts'
import type { Expression } from '../tree/expression.ts'
import type { ExpressionEnvironment } from './context.ts'

/** Binds any expression: handed to the binders of single constructs, which recurse through it. */
export type BindNode = (node: Node, environment: ExpressionEnvironment) => Expression

/** The kind of a node: its only key. */
export function nodeKind(node: Node): string {
  const [kind, ...others] = Object.keys(node)
  if (kind === undefined || others.length > 0) throw unsupported('this construct', undefined)
  return kind
}

/**
 * Refuses a node that carries more than the named fields.
 *
 * @throws {GatewayError} `unsupported`
 */
export function onlyFields<Fields extends object>(
  fields: Fields,
  construct: string,
  known: readonly (keyof Fields & string)[],
): void {
  const names: readonly string[] = known
  const other = Object.keys(fields).find((name) => !names.includes(name))
  if (other === undefined) return
  throw unsupported(`${construct} with ${other}`, locationOf(fields))
}

/** A part that the grammar always fills in. */
export function required(node: Node | undefined, construct: string, position?: number): Node {
  if (node === undefined) throw unsupported(`${construct} without an operand`, position)
  return node
}

/** Where an expression begins, if the tree contains a position. */
export function positionOf(node: Node): number | undefined {
  const fields: unknown = Object.values(node)[0]
  if (typeof fields !== 'object' || fields === null) return undefined
  const left = 'lexpr' in fields ? fields.lexpr : 'arg' in fields ? fields.arg : undefined
  const own = locationOf(fields)
  return own ?? (isNode(left) ? positionOf(left) : undefined)
}

function locationOf(fields: object): number | undefined {
  return 'location' in fields && typeof fields.location === 'number' ? fields.location : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** The parts of a name; refuses everything that is not a plain name. */
export function nameParts(
  nodes: readonly Node[] | undefined,
  construct: string,
  position: number | undefined,
): readonly string[] {
  return (nodes ?? []).map((node) => {
    if (!('String' in node)) throw unsupported(construct, position)
    return node.String.sval ?? ''
  })
}

/** The items of a `List` node. */
export function listItems(
  node: Node | undefined,
  construct: string,
  position: number | undefined,
): readonly Node[] {
  if (node === undefined || !('List' in node)) throw unsupported(construct, position)
  return node.List.items ?? []
}

/** The fields of `(a, b)` or `row(a, b)`; undefined for anything else. */
export function rowFields(node: Node | undefined): readonly Node[] | undefined {
  if (node === undefined || !('RowExpr' in node)) return undefined
  onlyFields(node.RowExpr, 'a row', ['args', 'row_format', 'location'])
  return node.RowExpr.args ?? []
}
