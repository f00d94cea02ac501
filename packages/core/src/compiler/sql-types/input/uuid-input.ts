/** @module uuid. */
import { accept, failSyntax, type InputResult } from './input-value.ts'

const pattern = /^(\{?)([0-9a-fA-F]{4}(?:-?[0-9a-fA-F]{4}){7})(\}?)$/

/** 32 hexadecimal digits, a hyphen after any four of them, braces around all. */
export function readUuid(text: string): InputResult {
  const match = pattern.exec(text)
  if (match === null || (match[1] === '') !== (match[3] === '')) return failSyntax('uuid', text)
  const digits = (match[2] ?? '').replaceAll('-', '').toLowerCase()
  return accept(
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`,
  )
}
