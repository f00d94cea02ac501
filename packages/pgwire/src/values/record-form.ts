/** @module Values of composite types. */
import type { Oid } from '@engine/core/values'
import { int4Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import type { Respell, ValueForm } from './value-form.ts'

export interface RecordAttribute {
  /** As clients know it: the binary form contains it. */
  readonly oid: Oid
  readonly form: ValueForm
}

/** Has a binary form where all attributes have one. */
export function recordForm(attributes: readonly RecordAttribute[]): ValueForm {
  const isBinary = attributes.every(
    ({ form }) => form.toBinary !== undefined && form.fromBinary !== undefined,
  )
  return {
    ...(isBinary && {
      toBinary: (text: string) => recordBytes(attributes, text),
      fromBinary: (bytes: Buffer) => textOf(attributes, bytes),
    }),
    toSession: respellEach(attributes, 'toSession'),
    fromSession: respellEach(attributes, 'fromSession'),
  }
}

function respellEach(
  attributes: readonly RecordAttribute[],
  direction: 'toSession' | 'fromSession',
): (settings: ValueSettings) => Respell | undefined {
  return (settings) => {
    const respells = attributes.map(({ form }) => form[direction]?.(settings))
    if (respells.every((respell) => respell === undefined)) return undefined
    return (text) => {
      const fields = fieldsOf(attributes, text)
      if (fields === undefined) return text
      return recordText(
        fields.map((field, i) => (field === null ? null : (respells[i]?.(field) ?? field))),
      )
    }
  }
}

function recordBytes(attributes: readonly RecordAttribute[], text: string): Buffer | undefined {
  const fields = fieldsOf(attributes, text)
  if (fields?.length !== attributes.length) return undefined
  const parts = [int4Bytes(attributes.length)]
  for (const [i, { oid, form }] of attributes.entries()) {
    const field = fields[i] ?? null
    const value = field === null ? null : form.toBinary?.(field)
    if (value === undefined) return undefined
    const bytes = value === null ? undefined : Buffer.from(value)
    parts.push(int4Bytes(oid), int4Bytes(bytes?.length ?? -1), bytes ?? Buffer.alloc(0))
  }
  return Buffer.concat(parts)
}

function textOf(attributes: readonly RecordAttribute[], bytes: Buffer): string | undefined {
  if (bytes.length < 4 || bytes.readInt32BE(0) !== attributes.length) return undefined
  const fields: (string | null)[] = []
  let position = 4
  for (const { oid, form } of attributes) {
    if (bytes.length < position + 8 || bytes.readUInt32BE(position) !== oid) return undefined
    const length = bytes.readInt32BE(position + 4)
    const start = position + 8
    position = start + Math.max(length, 0)
    if (length < -1 || bytes.length < position) return undefined
    const field = length === -1 ? null : form.fromBinary?.(bytes.subarray(start, position))
    if (field === undefined) return undefined
    fields.push(field)
  }
  return position === bytes.length ? recordText(fields) : undefined
}

/** `()` is also the row of one NULL. */
function fieldsOf(
  attributes: readonly RecordAttribute[],
  text: string,
): readonly (string | null)[] | undefined {
  const fields = fieldsIn(text)
  return fields?.length === 0 && attributes.length === 1 ? [null] : fields
}

/**
 * A doubled quote ends a quoted part and begins the next. With a way of its own to be read, the ways to read a field without an end would
 * multiply with each quote.
 */
const fieldPattern = /((?:"(?:[^"\\]|\\.)*"|[^"\\,()]|\\.)*)([,)])/sy

/** `(1,"a ""b""",)` → its fields; nothing between two commas is NULL. */
function fieldsIn(text: string): readonly (string | null)[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('(')) return undefined
  if (trimmed === '()') return []
  const fields: (string | null)[] = []
  fieldPattern.lastIndex = 1
  for (;;) {
    const match = fieldPattern.exec(trimmed)
    if (match === null) return undefined
    const [end, field = '', separator] = [fieldPattern.lastIndex, match[1], match[2]]
    fields.push(field === '' ? null : unquoted(field))
    if (separator === ')') return end === trimmed.length ? fields : undefined
    fieldPattern.lastIndex = end
  }
}

/** Inside quotes a quote is doubled; everywhere a backslash makes the next character literal. */
function unquoted(field: string): string {
  return field.replaceAll(/"((?:[^"\\]|\\.|"")*)"|\\(.)/gs, (_, inside?: string, escaped = '') =>
    inside === undefined
      ? escaped
      : inside.replaceAll(/""|\\(.)/gs, (pair, next?: string) => next ?? pair.charAt(0)),
  )
}

function recordText(fields: readonly (string | null)[]): string {
  return `(${fields.map(quoted).join(',')})`
}

function quoted(field: string | null): string {
  if (field === null) return ''
  const isBare = field !== '' && !/[\s"\\(),]/.test(field)
  return isBare ? field : `"${field.replaceAll(/["\\]/g, '$&$&')}"`
}
