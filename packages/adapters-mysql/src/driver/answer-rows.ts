/** @module The rows of one answer, while they are put together. */
import { GatewayError, type RowShape } from '@engine/core/adapter'
import type { Program } from './program.ts'
import { createJsonBuffer } from './protocol/json-buffer.ts'
import type { RowFormat } from './protocol/json-rows.ts'

export interface AnswerRows {
  /** Adds the row that the format has located in the packet. */
  add(format: RowFormat, packet: Buffer): void
  readonly count: () => number
  /** `ResultSet.rows` */
  finish(): string | Uint8Array
}

/** An answer with more bytes is refused: it would be kept in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

const leastCapacity = 512
const mostCapacity = 65_536

const comma = 0x2c

export function createAnswerRows(program: Program, shape: RowShape): AnswerRows {
  const capacity = Math.min(mostCapacity, Math.max(leastCapacity, program.lastSize))
  const out = createJsonBuffer(capacity)
  let count = 0
  return {
    add: (format, packet) => {
      if (count > 0) out.byte(comma)
      if (shape === 'cells') out.text(program.encodeCells(format.allValues(packet)))
      else format.write(packet, out, program.shapes[shape])
      count += 1
      if (out.length() > maxAnswerBytes) throw answerTooLarge()
    },
    count: () => count,
    finish: () => {
      program.lastSize = out.length()
      return out.finish()
    },
  }
}

function answerTooLarge(): GatewayError {
  return new GatewayError('limitExceeded', 'The answer has too many bytes.', { sqlState: '54000' })
}
