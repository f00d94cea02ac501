/** @module Receivers of a statement's rows. */
import type { Format } from '../../protocol/frontend-message.ts'
import type { MessageWriter } from '../../protocol/message-writer.ts'
import type { LateDescription } from './late-description.ts'
import { type ResultShape, type Row, type RowEncoder, withFormats } from './result-shape.ts'

export interface RowSink {
  /**
   * Called before the rows, once; not for statements without rows.
   *
   * @param formats used where the client requests none
   */
  begin(shape: ResultShape, formats?: readonly Format[]): void
  row(row: Row): void
  hold(): Promise<void> | undefined
  /** For COPY: up to `pgWire.maxCursorRows` rows, and never a part of them. */
  readonly isWhole?: boolean
}

/** Answers a simple query: sends the RowDescription before the rows. */
export function describingSink(writer: MessageWriter): RowSink {
  let encode: RowEncoder | undefined
  return {
    begin: (shape, formats = []) => {
      encode = shape.encoder(formats)
      writer.rowDescription(withFormats(shape.fields, formats))
    },
    row: (row) => writer.dataRow(encode === undefined ? row : encode(row)),
    hold: () => writer.drained(),
  }
}

/** Answers Execute. @param late where the client has not yet got the RowDescription that it asked for */
export function portalSink(
  writer: MessageWriter,
  formats: readonly Format[],
  late?: LateDescription,
): RowSink {
  let encode: RowEncoder | undefined
  return {
    begin: (shape) => {
      encode = shape.encoder(formats)
      late?.write(withFormats(shape.fields, formats))
    },
    row: (row) => writer.dataRow(encode === undefined ? row : encode(row)),
    hold: () => writer.drained(),
  }
}

/** A sink that tells whether rows have begun. */
export function watchedSink(sink: RowSink): RowSink & { readonly isBegun: () => boolean } {
  let isBegun = false
  return {
    ...sink,
    isBegun: () => isBegun,
    begin: (shape, formats) => {
      isBegun = true
      sink.begin(shape, formats)
    },
  }
}

/** Keeps rows for later, unchanged. */
export interface CollectingSink extends RowSink {
  readonly rows: readonly Row[]
  readonly shape: () => ResultShape | undefined
}

export function collectingSink(): CollectingSink {
  const rows: Row[] = []
  let shape: ResultShape | undefined
  return {
    rows,
    shape: () => shape,
    begin: (begun) => {
      shape = begun
    },
    row: (row) => void rows.push(row),
    hold: () => undefined,
  }
}
