/** @module Entries as lines: JSON for programs, CSV for spreadsheets. */
import type { AuditEntry } from '@engine/contract/admin-api'

/** The format of an export: one JSON object in each line, or CSV. */
export type ExportFormat = 'ndjson' | 'csv'

/** All formats of exports. */
export const exportFormats: readonly ExportFormat[] = ['ndjson', 'csv']

/** Yields one piece of text for each page. */
export async function* exportText(
  format: ExportFormat,
  pages: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns)
  for await (const entries of pages) yield entries.map(lineOf[format]).join('')
}

const columns = [
  'id',
  'at',
  'node',
  'kind',
  'via',
  'correlationId',
  'ip',
  'caller',
  'roles',
  'credentialId',
  'connection',
  'action',
  'sql',
  'params',
  'durationMs',
  'rowCount',
  'error',
  'message',
  'facts',
] as const satisfies readonly (keyof AuditEntry)[]

const lineOf: Readonly<Record<ExportFormat, (entry: AuditEntry) => string>> = {
  ndjson: (entry) => `${JSON.stringify(entry)}\n`,
  csv: (entry) => csvLine(columns.map((column) => cellText(entry[column]))),
}

function cellText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** @see RFC 4180 */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Text that a spreadsheet would take for a formula, including leading blanks. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20|]|^[\t\r\n]/

/** @see https://owasp.org/www-community/attacks/CSV_Injection */
function csvCell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
