/** @module Bytes of a Bind message → text for the engine. */
import { GatewayError } from '@engine/core'
import { typeLength } from '../protocol/type-length.ts'
import type { CreateParameterDecoder } from './cell-format.ts'
import { noBinaryForm } from './create-cell-encoder.ts'
import { formOfType } from './form-of-type.ts'
import { decodeUtf8 } from './text-form.ts'

export const createParameterDecoder: CreateParameterDecoder = (
  parameter,
  format,
  types,
  settings,
) => {
  const form = formOfType(types, parameter.typeOid, settings)
  if (format === 0) {
    const respell = form.fromSession?.(settings)
    const decode = settings.encoding?.decode ?? decodeUtf8
    return respell === undefined ? decode : (bytes) => respell(decode(bytes))
  }
  const { fromBinary } = form
  if (fromBinary === undefined) throw noBinaryForm(types, parameter.typeOid)
  return (bytes) => {
    const text = fromBinary(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    if (text !== undefined) return text
    if (bytes.length < typeLength(types.baseTypeOid(parameter.typeOid))) {
      const message = 'insufficient data left in message'
      throw new GatewayError('invalidParameter', message, { sqlState: '08P01' })
    }
    const message = `incorrect binary data format in bind parameter ${parameter.number}`
    throw new GatewayError('invalidParameter', message, { sqlState: '22P03' })
  }
}
