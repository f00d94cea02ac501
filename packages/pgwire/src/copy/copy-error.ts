/** @module Errors in COPY data, in PostgreSQL's words. */
import { GatewayError } from '@engine/core'
import type { TextProblem } from './text-reader.ts'

/** Data that does not fit the format. @param context where: `copyContext` */
export function badCopyFormat(message: string, context: string | undefined): GatewayError {
  const details = context === undefined ? {} : { details: { context } }
  return new GatewayError('dataError', message, { sqlState: '22P04', ...details })
}

/** Bytes that are not valid text. */
export function badEncoding({ message, sqlState }: TextProblem, context: string): GatewayError {
  return new GatewayError('dataError', message, { sqlState, details: { context } })
}

export function rowTooLarge(maxRowSize: number, context: string): GatewayError {
  return new GatewayError('limitExceeded', `a row of COPY data is larger than ${maxRowSize}`, {
    sqlState: '54000',
    details: { context },
  })
}

/** PostgreSQL's text in CONTEXT: `COPY users, line 3, column id: "x"`. */
export function copyContext(
  table: string,
  line: number,
  column?: string,
  value?: string | null,
): string {
  const where = `COPY ${table}, line ${line}${column === undefined ? '' : `, column ${column}`}`
  if (value === undefined) return where
  return value === null ? `${where}: null input` : `${where}: "${shortened(value)}"`
}

const maxShown = 100

function shortened(text: string): string {
  if (text.length <= maxShown) return text
  return `${text.slice(0, maxShown).replace(/[\ud800-\udbff]$/, '')}...`
}
