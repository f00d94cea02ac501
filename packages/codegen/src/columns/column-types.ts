/** @module TypeScript types of column values. */
import type { ScalarWireKind } from '@engine/contract'
import { type ColumnType, isMoment } from './column-type.ts'
import { listedType } from './listed-type.ts'
import type { Column } from './table-list.ts'

const readTypes: Readonly<Record<ScalarWireKind, string>> = {
  boolean: 'boolean',
  integer: 'number',
  bigint: 'string',
  float: 'number',
  decimal: 'string',
  bytes: 'string',
  json: 'Json',
  text: 'string',
}

/** Additional types that a client with JSON may send. */
const writtenTypes: Readonly<Partial<Record<ScalarWireKind, string>>> = {
  bigint: 'string | number',
  decimal: 'string | number',
}

/** The type of the column's values in answers. */
export function readType(column: Column): string {
  const { type, nullable } = column
  return orNull(listOf(type, listedType(column) ?? readTypes[type.kind]), nullable)
}

/** The type of values that a statement may send for it. */
export function writtenType(column: Column, more: string | undefined = undefined): string {
  const { type, nullable } = column
  const moment = isMoment(type) ? 'string | Date' : undefined
  const single = listedType(column) ?? moment ?? writtenTypes[type.kind] ?? readTypes[type.kind]
  return orNull(listOf(type, more === undefined ? single : `${single} | ${more}`), nullable)
}

function listOf({ isArray, kind }: ColumnType, item: string): string {
  if (!isArray) return item
  return kind === 'json' ? `${item}[]` : `(${item} | null)[]`
}

function orNull(type: string, nullable: boolean): string {
  return nullable && type !== 'Json' ? `${type} | null` : type
}

/** Declares `Json`, for files that use it. */
export const jsonType = `/** A value of a column with documents. A text that is sent for it is read as JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }`

/** Returns whether a type of these columns uses `Json`. */
export function usesJson(columns: readonly Column[]): boolean {
  return columns.some(({ type }) => type.kind === 'json')
}
