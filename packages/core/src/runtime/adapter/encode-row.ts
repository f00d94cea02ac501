/** @module Converts database text to JSON text, without intermediate values. */

import type { ScalarWireKind } from '@engine/contract'
import type { WireKind } from '../../compiler/sql-types/wire-kind.ts'
import { unreachable } from '../../foundation/unreachable.ts'

/**
 * A row as JSON text. `cells[i]` is column i in PostgreSQL's output format (`t`, `1.50`, `{1,2}`, `\xff`), null is NULL.
 * Cells after the last known column are ignored.
 */
export type RowEncoder = (cells: readonly (string | null)[]) => string

/** A column whose values are written as JSON. */
export interface EncodedColumn {
  readonly name: string
  readonly kind: WireKind
}

/** `[1,"a"]` */
export function createArrayEncoder(columns: readonly EncodedColumn[]): RowEncoder {
  const encoders = columns.map(({ kind }) => cellEncoder(kind))
  return (cells) => {
    let text = '['
    for (let index = 0; index < encoders.length; index++) {
      if (index > 0) text += ','
      text += encodeCell(encoders[index], cells[index])
    }
    return `${text}]`
  }
}

/** `{"id":1,"name":"a"}`; of columns with the same name the last one wins. */
export function createObjectEncoder(columns: readonly EncodedColumn[]): RowEncoder {
  const last = new Map(columns.map(({ name }, index) => [name, index]))
  const fields = [...last].map(([name, index], position) => ({
    key: `${position === 0 ? '' : ','}${JSON.stringify(name)}:`,
    index,
    encoder: cellEncoder(columns[index]?.kind ?? { kind: 'text' }),
  }))
  return (cells) => {
    let text = '{'
    for (const { key, index, encoder } of fields) text += key + encodeCell(encoder, cells[index])
    return `${text}}`
  }
}

type CellEncoder = (text: string) => string

function encodeCell(encoder: CellEncoder | undefined, cell: string | null | undefined): string {
  return cell === null || cell === undefined || encoder === undefined ? 'null' : encoder(cell)
}

function cellEncoder(kind: WireKind): CellEncoder {
  if (kind.kind !== 'array') return scalarEncoder(kind.kind)
  const encode = scalarEncoder(kind.element)
  return (text) => encodeArray(text, kind.delimiter, encode)
}

function scalarEncoder(kind: ScalarWireKind): CellEncoder {
  switch (kind) {
    case 'boolean':
      return (text) => (text.startsWith('t') ? 'true' : 'false')
    case 'integer':
    case 'json':
      return (text) => text
    case 'float':
      return encodeFloat
    case 'bigint':
    case 'decimal':
      return (text) => `"${text}"`
    case 'bytes':
    case 'text':
      return (text) => JSON.stringify(text)
    default:
      return unreachable(kind)
  }
}

/** JSON cannot express NaN and the infinities. */
function encodeFloat(text: string): string {
  return text === 'NaN' || text.endsWith('Infinity') ? `"${text}"` : text
}

/**
 * `{1,NULL,"a,b"}` → `[1,null,"a,b"]`; nested for several dimensions. Bounds that do not begin at 1 (`[0:1]={...}`)
 * are left out.
 */
function encodeArray(text: string, delimiter: string, encode: CellEncoder): string {
  let json = ''
  let index = text.indexOf('{')
  while (index < text.length) {
    const character = text.charAt(index)
    if (character === '{') {
      json += '['
      index += 1
    } else if (character === '}') {
      json += ']'
      index += 1
    } else if (character === delimiter) {
      json += ','
      index += 1
    } else if (character === '"') {
      const end = quotedEnd(text, index)
      json += encode(text.slice(index + 1, end).replaceAll(/\\(.)/gs, '$1'))
      index = end + 1
    } else {
      const end = bareEnd(text, index, delimiter)
      const element = text.slice(index, end)
      json += element === 'NULL' ? 'null' : encode(element)
      index = end
    }
  }
  return json
}

/** Index of the quote that ends the element which begins at `start`. */
function quotedEnd(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charAt(index) !== '"') {
    index += text.charAt(index) === '\\' ? 2 : 1
  }
  return index
}

function bareEnd(text: string, start: number, delimiter: string): number {
  let index = start
  while (index < text.length && text.charAt(index) !== delimiter && text.charAt(index) !== '}') {
    index += 1
  }
  return index
}
