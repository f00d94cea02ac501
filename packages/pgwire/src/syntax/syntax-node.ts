/** @module Reads the parser's trees as unknown values: every field is checked before use. */

/** Fields of a node; fields that the parser leaves out are undefined. */
export type Fields = Readonly<Record<string, unknown>>

/** `{ SelectStmt: { … } }` → its kind and fields. */
export function nodeOf(tree: unknown): { readonly kind: string; readonly fields: Fields } {
  const [entry] = Object.entries(fieldsOf(tree))
  return { kind: entry?.[0] ?? '', fields: fieldsOf(entry?.[1]) }
}

/** An object's own fields; no fields for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Undefined for any other value than a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** `{ String: { sval } }` → its text; the parser leaves the empty string out. */
export function stringNode(tree: unknown): string | undefined {
  const { kind, fields } = nodeOf(tree)
  return kind === 'String' ? (textOf(fields['sval']) ?? '') : undefined
}

/** A list of `String` nodes. */
export function stringNodes(value: unknown): readonly string[] {
  return listOf(value).flatMap((node) => stringNode(node) ?? [])
}

/** A literal of a statement as text: numbers as they are written, booleans as `true` and `false`. */
export type Literal =
  | { readonly type: 'string' | 'integer' | 'float' | 'boolean'; readonly text: string }
  | { readonly type: 'null' }

/** The value of an `A_Const` node; undefined for any other. */
export function literalOf(tree: unknown): Literal | undefined {
  const { kind, fields } = nodeOf(tree)
  if (kind !== 'A_Const') return undefined
  if (fields['isnull'] === true) return { type: 'null' }
  if (fields['sval'] !== undefined) {
    return { type: 'string', text: textOf(fieldsOf(fields['sval'])['sval']) ?? '' }
  }
  if (fields['fval'] !== undefined) {
    return { type: 'float', text: textOf(fieldsOf(fields['fval'])['fval']) ?? '0' }
  }
  if (fields['boolval'] !== undefined) {
    return { type: 'boolean', text: String(fieldsOf(fields['boolval'])['boolval'] === true) }
  }
  if (fields['ival'] !== undefined) {
    return { type: 'integer', text: String(fieldsOf(fields['ival'])['ival'] ?? 0) }
  }
  return undefined
}
