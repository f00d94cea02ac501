/** @module COPY … TO STDOUT: rows of a query as lines, or in the binary format. */
import { createCopyEncoder } from '../../copy/copy-encoder.ts'
import { again, unplaced, wireError } from '../../errors/wire-error.ts'
import { fieldsOf, prepareStatement } from '../execute/prepare-statement.ts'
import type { Prepared } from '../parts/prepared.ts'
import { noParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import type { RowEncoder } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { ClientStatement, CopyTarget, SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'
import { copyBytes, encodingOfCopy } from './copy-encoding.ts'
import { asCopy, type CopyTable, copyQueryOf, copyTableOf } from './copy-table.ts'

/** @throws {GatewayError} errors of the query; 0A000 for a query without rows. */
export async function runCopyOut(
  parts: CommandParts,
  { copy, query, source }: Extract<SessionCommand, { readonly kind: 'copyOut' }>,
): Promise<Completion> {
  const { writer } = parts
  const table = source && query.kind === 'query' ? await copyTableOf(parts, source) : undefined
  if (table?.kind === 'view') {
    const hint = 'Try the COPY (SELECT ...) TO variant.'
    throw again(wireError('42809', `cannot copy from view "${table.name}"`), { hint })
  }
  const prepared = await prepareSource(parts, query, source, table)
  const fields = fieldsOf(parts, prepared)
  if (fields === undefined) {
    throw wireError('0A000', 'COPY query must have a RETURNING clause', 'unsupported')
  }
  const format = copy.format === 'binary' ? 1 : 0
  const encoder = createCopyEncoder(
    copy,
    fields.map(({ name }) => name),
    table,
  )
  const encoding = encodingOfCopy(copy, parts.settings)
  const isSessions = encoding === parts.settings.clientEncoding()
  const send = (data: string | Uint8Array) =>
    writer.copyData(isSessions ? data : copyBytes(data, encoding))
  let encode: RowEncoder = (row) => row
  const sink: RowSink = {
    begin: (shape) => {
      encode = shape.encoder([format])
      writer.copyOutResponse(format, fields.length)
      const header = encoder.start()
      if (header !== undefined) send(header)
    },
    row: (row) => send(encoder.row(encode(row))),
    hold: () => writer.drained(),
    isWhole: true,
  }
  const bound = { ...noParameters, resultFormats: [format] as const }
  const { count } = await parts.runPrepared(prepared, bound, sink)
  const trailer = encoder.end()
  if (trailer !== undefined) writer.copyData(trailer)
  writer.copyDone()
  return { verb: 'COPY', count }
}

function prepareSource(
  parts: CommandParts,
  query: ClientStatement,
  source: CopyTarget | undefined,
  table: CopyTable | undefined,
): Promise<Prepared> {
  if (source === undefined) return prepareStatement(parts, query, [])
  if (table === undefined) return unplaced(() => prepareStatement(parts, query, []))
  return asCopy(table, () => prepareStatement(parts, copyQueryOf(table, query, source), []))
}
