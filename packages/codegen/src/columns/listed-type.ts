/** @module The only values of a column as a union type. */
import { literal } from '../names/literal.ts'
import type { Column } from './table-list.ts'

/** With more members, a set has more values than a union should: 2 to the power of their number. */
const mostMembers = 8

/** The values of a column's `enum`, where they are values of its type. */
export function listedValues({
  enum: values = [],
  type: { kind },
}: Column): readonly (string | number)[] {
  const isKnown = (value: string | number) =>
    (kind === 'text' && typeof value === 'string') ||
    (kind === 'integer' && Number.isSafeInteger(value))
  return values.every(isKnown) ? values : []
}

/** The members of a column's `set`, where they are few enough for a union. */
export function setMembers({
  set = [],
  type: { kind, isArray },
}: Column): readonly string[] | undefined {
  const isKnown = kind === 'text' && !isArray && set.length > 0 && set.length <= mostMembers
  return isKnown ? set : undefined
}

/** `'G' | 'PG'`, `SetOf<['new', 'old']>`; of an array, the type of its elements. Undefined where no values are listed. */
export function listedType(column: Column): string | undefined {
  const members = setMembers(column)
  if (members !== undefined) return `SetOf<${textList(members)}>`
  const values = listedValues(column)
  return values.length === 0 ? undefined : values.map(valueText).join(' | ')
}

/** `'G'` or `1` */
export function valueText(value: string | number): string {
  return typeof value === 'string' ? literal(value) : String(value)
}

/** `['new', 'old']` */
export function textList(texts: readonly (string | number)[]): string {
  return `[${texts.map(valueText).join(', ')}]`
}

/** Declares `SetOf`, for files that use it. */
export const setType = `/** Any of these texts, in this order, with commas between them. */
export type SetOf<Members extends readonly string[]> = Members extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? SetOf<Rest> | First | \`\${First},\${Exclude<SetOf<Rest>, ''>}\`
  : ''`

/** Returns whether a type of these columns uses `SetOf`. */
export function usesSets(columns: readonly Column[]): boolean {
  return columns.some((column) => setMembers(column) !== undefined)
}
