/**
 * @module Combines several permissions to read: one table has one virtual table, whatever the statement. A row is visible when
 * any permission shows it; a column exists when any permission lists it; a cell has its value where ONE permission does both,
 * else it is NULL.
 */
import { type Atom, allOf, anyOf, canBe, type Formula, whenTrue } from './kleene.ts'

/** The grant of one permission: these columns of those rows. */
export interface ReadGrant<A extends Atom> {
  readonly columns: ReadonlySet<number>
  readonly where: Formula<A>
  /** Equal only for equal conditions `where`. */
  readonly whereKey: string
}

/** The rows of the virtual table, its columns, and the conditions under which cells have their value. */
export interface VirtualTable<A extends Atom> {
  readonly rows: Formula<A>
  readonly readable: ReadonlySet<number>
  /** Only columns whose cells are not visible in every visible row. */
  readonly cells: ReadonlyMap<number, Formula<A>>
}

/** @param restrictions of every permission of the caller on the table; they narrow the rows of all of them. */
export function virtualTable<A extends Atom>(
  grants: readonly ReadGrant<A>[],
  restrictions: readonly Formula<A>[],
): VirtualTable<A> {
  const readable = new Set(grants.flatMap(({ columns }) => [...columns]))
  const live = grants.filter(({ where }) => canBe(where, true))
  const cells = new Map<number, Formula<A>>()
  for (const column of readable) {
    const showing = live.filter(({ columns }) => columns.has(column))
    const cell = anyRow(showing)
    const isEverywhere = cell.kind === 'true' || distinctRows(showing) === distinctRows(live)
    if (!isEverywhere) cells.set(column, cell)
  }
  return { rows: permittedRows(live, restrictions), readable, cells }
}

/** Rows that any of the grants allows, before restrictions. */
export function permittedRows<A extends Atom>(
  grants: readonly { readonly where: Formula<A> }[],
  restrictions: readonly Formula<A>[],
): Formula<A> {
  return whenTrue(allOf([anyRow(grants), ...restrictions]))
}

function anyRow<A extends Atom>(grants: readonly { readonly where: Formula<A> }[]): Formula<A> {
  return whenTrue(anyOf(grants.map(({ where }) => where)))
}

function distinctRows<A extends Atom>(grants: readonly ReadGrant<A>[]): number {
  return new Set(grants.map(({ whereKey }) => whereKey)).size
}
