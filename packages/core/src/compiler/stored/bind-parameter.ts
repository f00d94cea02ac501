import type { SqlValue } from '../sql-types/value-source.ts'
import type { ParameterKind, ScalarKind } from './parameter-kind.ts'

/** How a driver takes values. Both functions get PostgreSQL's canonical text and throw for what the database cannot store. */
export interface ParameterForms<Value> {
  value(kind: ScalarKind, text: string): Value
  /** The same as JSON, inside of a list. */
  json(kind: ScalarKind, text: string): string
}

/**
 * The value of a parameter as a driver takes it: lists and kept rows are texts of JSON.
 *
 * @param kept rows of earlier steps as JSON text, by step index.
 */
export function bindParameter<Value>(
  parameter: ParameterKind,
  value: SqlValue,
  kept: ReadonlyMap<number, string>,
  forms: ParameterForms<Value>,
): Value | string | null {
  if (parameter.kind === 'step') return keptRows(parameter.step, kept)
  if (value === null) return null
  if (parameter.kind === 'array') return listText(parameter.element, value, forms)
  if (typeof value !== 'string') throw new TypeError('a list was given for a scalar parameter')
  return forms.value(parameter.kind, value)
}

function keptRows(step: number, kept: ReadonlyMap<number, string>): string {
  const rows = kept.get(step)
  if (rows === undefined) throw new TypeError(`step ${step} kept nothing`)
  return rows
}

function listText(element: ParameterKind, value: SqlValue, forms: ParameterForms<unknown>): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') {
    return `[${value.map((item) => listText(element, item, forms)).join(',')}]`
  }
  if (element.kind === 'step' || element.kind === 'array') {
    throw new TypeError('a list has elements of a scalar type')
  }
  return forms.json(element.kind, value)
}
