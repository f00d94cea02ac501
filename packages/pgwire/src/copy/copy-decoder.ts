/** @module Data of COPY … FROM STDIN → rows. */
import { createBinaryDecoder } from './binary-decoder.ts'
import type { CopyDecoder, CopyDecoderOptions } from './copy-codec.ts'
import { createLineDecoder } from './line-decoder.ts'

/** @throws {GatewayError} 42703, 42P10 for a column of FORCE NULL or FORCE NOT NULL that is not copied. */
export function createCopyDecoder(options: CopyDecoderOptions): CopyDecoder {
  return options.copy.format === 'binary'
    ? createBinaryDecoder(options)
    : createLineDecoder(options)
}
