/** @module The columns of a result, and their encoding in the formats that a client requests. */

import type { TypeSystem } from '@engine/core/catalog'
import type { StatementDescription } from '@engine/core/session'
import type { Oid } from '@engine/core/values'
import type { CatalogNumbers } from '../../catalog/catalog-numbers.ts'
import type { ClientEncoding } from '../../encodings/client-encoding.ts'
import type { Format } from '../../protocol/frontend-message.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { CellEncoder, ValueSettings } from '../../values/cell-format.ts'
import { createCellEncoder } from '../../values/create-cell-encoder.ts'
import { formOfType } from '../../values/form-of-type.ts'
import { sameText } from '../../values/text-form.ts'

/** Cells from their source: text of the engine, or cells that the catalog has already encoded. */
export type Row = readonly (string | Uint8Array | null)[]

export interface ResultShape {
  /** `format` is 0. */
  readonly fields: readonly FieldDescription[]
  /**
   * @param formats none, one for all, or one for each field.
   * @throws {GatewayError} 0A000 for a type without a binary form; the encoder: 22P02.
   */
  encoder(formats: readonly Format[]): RowEncoder
}

/** Cells in the form of a DataRow: a string is sent in the encoding of the client, bytes as they are. */
export type RowEncoder = (row: Row) => Row

const unchanged: RowEncoder = (row) => row

const utf8 = new TextDecoder()

/** For rows of the engine. */
export function engineShape(
  { columns, connection, types, isStyled }: StatementDescription,
  numbers: CatalogNumbers,
  values: ValueSettings,
): ResultShape {
  const fields = columns.map(({ name, type, origin }): FieldDescription => {
    const baseOid = types.baseTypeOid(type.oid)
    const place = origin && numbers.columnNumber(origin.connection, origin.table, origin.column)
    return {
      name,
      tableOid: place?.tableOid ?? 0,
      columnNumber: place?.columnNumber ?? 0,
      typeOid: numbers.typeOid(connection, baseOid),
      typmod: type.typmod,
      format: 0,
      ...(types.typeByOid(baseOid)?.kind === 'enum' ? { typeLength: 4 } : {}),
    }
  })
  const wireOid = (oid: Oid) => numbers.typeOid(connection, oid)
  const settings = { ...values, wireOid, isWritten: isStyled }
  const encoderFor = (formats: readonly Format[]) =>
    rowEncoder(
      columns.map(({ name, type }, i) =>
        createCellEncoder(
          { name, typeOid: type.oid, fields: type.fields },
          formatAt(formats, i),
          types,
          settings,
        ),
      ),
      values.encoding,
    )
  let last: { readonly key: string; readonly encode: RowEncoder } | undefined
  return {
    fields,
    encoder: (formats) => {
      const key = formats.join('')
      if (last?.key !== key) last = { key, encode: encoderFor(formats) }
      return last.encode
    },
  }
}

/**
 * For rows that are already encoded: text, unless `formats` has another value. Only text can be converted into another
 * format.
 *
 * @param types PostgreSQL's own.
 */
export function encodedShape(
  fields: readonly FieldDescription[],
  formats: readonly Format[],
  types: () => TypeSystem,
  settings: () => ValueSettings,
): ResultShape {
  return {
    fields,
    encoder: (wanted) => {
      const { encoding } = settings()
      const encoders = fields.map(({ name, typeOid }, i) => {
        const format = formatAt(wanted, i)
        if (format !== formatAt(formats, i)) {
          return createCellEncoder({ name, typeOid }, format, types(), settings())
        }
        if (format === 0 || encoding === undefined) return sameText
        return binaryInEncoding(types(), typeOid, encoding)
      })
      return rowEncoder(encoders, encoding)
    },
  }
}

/** For rows of the session itself: text columns, the same in both formats. */
export function textShape(names: readonly string[]): ResultShape {
  return {
    fields: names.map((name) => ({
      name,
      tableOid: 0,
      columnNumber: 0,
      typeOid: 25,
      typmod: -1,
      format: 0,
    })),
    encoder: () => unchanged,
  }
}

/** @param formats none: text for all; one: it applies to all. */
export function formatAt(formats: readonly Format[], index: number): Format {
  return (formats.length === 1 ? formats[0] : formats[index]) ?? 0
}

/** With the formats that the client requested. */
export function withFormats(
  fields: readonly FieldDescription[],
  formats: readonly Format[],
): readonly FieldDescription[] {
  if (formats.every((format) => format === 0)) return fields
  return fields.map((field, i) => ({ ...field, format: formatAt(formats, i) }))
}

type RowCellEncoder = CellEncoder | BinaryRespell

/** The binary form with texts in UTF-8 → that with texts in another encoding. */
interface BinaryRespell {
  readonly respell: (bytes: Uint8Array) => Uint8Array
}

function rowEncoder(
  encoders: readonly RowCellEncoder[],
  encoding: ClientEncoding | undefined,
): RowEncoder {
  const isUtf8 = encoding === undefined
  if (isUtf8 && encoders.every((encode) => encode === sameText)) return unchanged
  return (row) =>
    row.map((cell, i) => {
      const encode = encoders[i]
      if (cell === null || encode === undefined) return cell
      if (typeof encode === 'object') {
        return typeof cell === 'string' ? cell : encode.respell(cell)
      }
      if (isUtf8 && encode === sameText) return cell
      return encode(typeof cell === 'string' ? cell : utf8.decode(cell))
    })
}

/** For values that the catalog has encoded. */
function binaryInEncoding(
  types: TypeSystem,
  typeOid: Oid,
  encoding: ClientEncoding,
): RowCellEncoder {
  const { fromBinary } = formOfType(types, typeOid)
  const { toBinary } = formOfType(types, typeOid, { encoding })
  return {
    respell: (bytes) => {
      const text = fromBinary?.(Buffer.from(bytes))
      const respelled = text === undefined ? undefined : toBinary?.(text)
      return respelled === undefined ? bytes : Buffer.from(respelled)
    },
  }
}
