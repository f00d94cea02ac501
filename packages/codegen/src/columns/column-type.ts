/** @module The name of a column's type → the form of its values on the wire. */
import { type ScalarWireKind, wireKinds } from '@engine/contract'

export interface ColumnType {
  readonly kind: ScalarWireKind
  /** Without modifiers: `numeric`, `timestamp without time zone`. */
  readonly name: string
  /** `[10, 2]` of `numeric(10,2)`. */
  readonly modifiers: readonly number[]
  /** A list of such values, some of which may be null. */
  readonly isArray: boolean
}

/** `numeric(10,2)[]`; an unknown name is a custom type of the database, whose values are texts. */
export function readColumnType(type: string): ColumnType {
  const element = type.replace(/(\[\])+$/, '')
  const parts = /^([a-z][a-z ]*?)\(([\d,]+)\)( [a-z ]+)?$/.exec(element)
  const [, before = element, inside = '', after = ''] = parts ?? []
  const name = `${before}${after}`
  return {
    kind: Object.hasOwn(wireKinds, name) ? (wireKinds[name] ?? 'text') : 'text',
    name,
    modifiers: inside === '' ? [] : inside.split(',').map(Number),
    isArray: element !== type,
  }
}

/** A point in time or a day: a `Date` may be sent for it. */
export function isMoment({ name }: ColumnType): boolean {
  return name === 'date' || name.startsWith('timestamp ')
}
