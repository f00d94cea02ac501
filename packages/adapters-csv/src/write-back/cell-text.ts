/** @module Values → text of a file. */
import type { FileFormat } from '../format/file-format.ts'
import type { LoadedColumn } from '../load/load-job.ts'

/**
 * A value in the spelling of the file.
 *
 * @param value in the form of an answer; JSON as its text
 */
export function cellText(value: unknown, { type, spelling }: LoadedColumn): string {
  if (value === null || value === undefined) return ''
  switch (type.kind) {
    case 'boolean':
      return value === true ? spelling.true : spelling.false
    case 'timestamp':
    case 'timestamptz':
      return String(value).replace(' ', spelling.separator)
    default:
      return String(value)
  }
}

/** Quoted where necessary, or where all values of its column are quoted. */
export function quotedCell(text: string, { delimiter }: FileFormat, isQuoted: boolean): string {
  const isNeeded = /["\r\n]/.test(text) || text.includes(delimiter) || /^\s|\s$/.test(text)
  if (text === '' || !(isQuoted || isNeeded)) return text
  return `"${text.replaceAll('"', '""')}"`
}
