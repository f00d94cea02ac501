/** @module COPY … FROM STDIN: lines, or the binary format, into a table: all rows or none. */
import { createCopyDecoder } from '../../copy/copy-decoder.ts'
import { wireError } from '../../errors/wire-error.ts'
import { SessionEnd } from '../parts/wire-session.ts'
import type { Completion } from '../results/completion.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'
import { encodingOfCopy } from './copy-encoding.ts'
import { copyTableOf } from './copy-table.ts'
import { createRowInserter } from './insert-rows.ts'

/** @throws {GatewayError} the engine's errors for the rows; 57014 for CopyFail; 08P01 for other messages. */
export async function runCopyIn(
  parts: CommandParts,
  { copy, target, where }: Extract<SessionCommand, { readonly kind: 'copyIn' }>,
): Promise<Completion> {
  const { block, limits, writer } = parts
  const table = await copyTableOf(parts, target)
  const format = copy.format === 'binary' ? 1 : 0
  block.beginImplicit()
  const inserter = await createRowInserter(parts, table, format, where)
  const decoder = createCopyDecoder({
    copy,
    table,
    columns: table.columns,
    maxRowSize: limits.maxRowSize,
    encoding: encodingOfCopy(copy, parts.settings),
  })
  writer.copyInResponse(format, table.columns.length)
  writer.flush()
  for (;;) {
    const data = await nextData(parts)
    const rows = data === undefined ? decoder.end() : decoder.push(data)
    await inserter.add(rows)
    if (data === undefined) break
  }
  return { verb: 'COPY', count: await inserter.finish() }
}

/** Undefined where the client has sent everything. */
async function nextData({ gate, writer }: CommandParts): Promise<Uint8Array | undefined> {
  for (;;) {
    const message = await gate.take()
    switch (message.type) {
      case 'copyData':
        return message.data
      case 'copyDone':
        return undefined
      case 'copyFail':
        throw wireError('57014', `COPY from stdin failed: ${message.message}`)
      case 'flush':
      case 'sync':
        break
      case 'tooLarge':
        throw wireError(
          '54000',
          `a message of ${message.size} bytes is larger than the limit of ${message.limit}`,
          'payloadTooLarge',
        )
      default:
        writer.error({
          severity: 'ERROR',
          sqlState: '08P01',
          message: `unexpected message type 0x${letters[message.type]} during COPY from stdin`,
          routine: 'CopyGetData',
        })
        writer.error({
          severity: 'FATAL',
          sqlState: '08P01',
          message: 'terminating connection because protocol synchronization was lost',
          routine: 'PostgresMain',
        })
        throw new SessionEnd(`a message (${message.type}) in the midst of COPY from stdin`)
    }
  }
}

/** Types of messages that are not allowed during COPY, in hexadecimal. */
const letters = {
  query: '51',
  parse: '50',
  bind: '42',
  describe: '44',
  execute: '45',
  close: '43',
  functionCall: '46',
  terminate: '58',
  malformed: '00',
} as const
