import type { SqlValue } from '@engine/core/adapter'

/** All values of a statement that needs no value of another step. @param delimiters between the elements of arrays */
export function parameterTexts(
  values: readonly SqlValue[],
  delimiters: readonly string[],
): (string | null)[] {
  return values.map((value, i) => parameterText(value, delimiters[i] ?? ','))
}

/** A value in the text format of a bound parameter. Arrays become `{1,NULL,"a b"}`. */
export function parameterText(value: SqlValue, delimiter: string): string | null {
  return value === null || typeof value === 'string' ? value : arrayText(value, delimiter)
}

function arrayText(items: readonly SqlValue[], delimiter: string): string {
  return `{${items.map((item) => elementText(item, delimiter)).join(delimiter)}}`
}

function elementText(item: SqlValue, delimiter: string): string {
  if (item === null) return 'NULL'
  if (typeof item !== 'string') return arrayText(item, delimiter)
  return `"${item.replaceAll(/["\\]/g, '\\$&')}"`
}
