/** @module text, varchar, bpchar and name. */
import { type Oid, oids } from '../oids.ts'
import { lengthOfTypmod } from '../typmod.ts'
import { accept, fail, type InputFailure, type InputMode, type InputResult } from './input-value.ts'

/** No database can store NUL, and a lone surrogate is not valid Unicode. */
export function checkText(text: string): InputResult {
  if (text.includes('\0')) return fail('22021', 'text must not contain the character NUL')
  if (!text.isWellFormed()) return fail('22021', 'text must not contain lone surrogates')
  return accept(text)
}

const typeTexts: ReadonlyMap<Oid, string> = new Map<Oid, string>([
  [oids.varchar, 'character varying'],
  [oids.bpchar, 'character'],
])

/** text, varchar and bpchar. A length counts characters (code points); bpchar is padded to it. */
export function readText(oid: Oid, typmod: number, text: string, mode: InputMode): InputResult {
  const length = lengthOfTypmod(oid, typmod)
  if (length === undefined) return accept(text)
  const fitting = text.length <= length ? text : cut(text, length)
  const excess = text.slice(fitting.length)
  if (mode === 'assignment' && /[^ ]/.test(excess)) {
    return fail('22001', `value too long for type ${typeTexts.get(oid)}(${length})`)
  }
  if (oid !== oids.bpchar) return accept(fitting)
  return length > maxPaddedLength ? tooWide : accept(pad(fitting, length))
}

/** Padding up to PostgreSQL's ten million characters would turn small requests into huge ones. */
export const maxPaddedLength = 8192

export const tooWide: InputFailure = fail(
  '54000',
  `fixed lengths beyond ${maxPaddedLength} are not supported`,
)

/** The first `length` code points. */
function cut(text: string, length: number): string {
  let end = 0
  for (let count = 0; count < length && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

function pad(text: string, length: number): string {
  const count = text.length > length * 2 ? length : [...text].length
  return text + ' '.repeat(Math.max(length - count, 0))
}

/** A name is cut to 63 bytes of UTF-8, never inside a character. */
export function readName(text: string): InputResult {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += bytesInUtf8(character.codePointAt(0) ?? 0)
    if (bytes > maxNameBytes) break
    end += character.length
  }
  return accept(text.slice(0, end))
}

const maxNameBytes = 63

function bytesInUtf8(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
