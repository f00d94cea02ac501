/**
 * @module CSV text → records, by RFC 4180, in pieces as a file is read. Our own code: with a general parser, reading
 * takes longer than all other work on a file.
 */

/** A record that cannot be read. */
export interface CsvFault {
  /** Line of the file, from 1. */
  readonly line: number
  readonly reason: string
}

export interface RecordHandler {
  /**
   * @param cells the values without their quotes; a missing value is empty
   * @param line of the file, from 1, where the record begins
   * @param text contains the record exactly as in the file, without its line end, from `start` to `end`
   */
  record(cells: readonly string[], line: number, text: string, start: number, end: number): void
  fault(fault: CsvFault): void
}

export interface RecordScanner {
  /** The next piece of the text. */
  push(piece: string): void
  /** The text ends: the remaining text is the last record. */
  end(): void
}

/** Maximum length of a record, in UTF-16 units. A longer one most likely has an unclosed quote. */
const longestRecord = 16 * 1024 * 1024

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Lines end with LF, CRLF or CR. Quotes are `"`, doubled inside; a quote within an unquoted value is an ordinary
 * character. Empty lines are skipped.
 *
 * @param delimiter between values; one character or more, no quote and no line end.
 */
export function createRecordScanner(delimiter: string, handler: RecordHandler): RecordScanner {
  let rest = ''
  let line = 1

  /** Reads the complete records. Returns the index of the first incomplete one. */
  const scan = (text: string, isLast: boolean): number => {
    const reader = createRecordReader(text, delimiter)
    let start = 0
    while (start < text.length) {
      const cells = reader.read(start)
      const { end } = reader
      // A CR at the end of a piece may be the first half of CRLF.
      const isCut = end >= text.length || (end === text.length - 1 && text[end] === '\r')
      if (isCut && !isLast) return start
      if (reader.fault !== undefined) handler.fault({ line, reason: reader.fault })
      else if (end > start) handler.record(cells, line, text, start, end)
      line += 1 + reader.innerLines
      start = end + lineEndLength(text, end)
    }
    return text.length
  }

  return {
    push: (piece) => {
      const text = rest === '' ? piece : rest + piece
      rest = text.slice(scan(text, false))
      if (rest.length > longestRecord) {
        handler.fault({ line, reason: 'a value has no end' })
        rest = ''
      }
    },
    end: () => {
      const text = rest
      rest = ''
      scan(text, true)
    },
  }
}

interface RecordReader {
  /** The values of the record that begins at `start`. The variables below have other facts about it. */
  read(start: number): readonly string[]
  /** Index of its line end; the length of the text where it has none. */
  readonly end: number
  /** Number of line ends within its quotes. */
  readonly innerLines: number
  /** The error of the record. */
  readonly fault: string | undefined
}

function createRecordReader(text: string, delimiter: string): RecordReader {
  const nextLineEnd = createLineEnds(text)
  const reader = {
    end: 0,
    innerLines: 0,
    fault: undefined as string | undefined,

    read: (start: number): readonly string[] => {
      const cells: string[] = []
      let position = start
      let lineEnd = nextLineEnd(start)
      reader.innerLines = 0
      reader.fault = undefined
      for (;;) {
        if (text.charCodeAt(position) === quote) {
          const close = closingQuote(text, position + 1)
          if (close < 0) {
            reader.fault = 'a quoted value has no end'
            reader.end = text.length
            return cells
          }
          const value = text.slice(position + 1, close)
          cells.push(value.includes('"') ? value.replaceAll('""', '"') : value)
          position = close + 1
          if (position > lineEnd) {
            reader.innerLines += value.match(/\r\n|\r|\n/g)?.length ?? 0
            lineEnd = nextLineEnd(position)
          }
        } else {
          const next = text.indexOf(delimiter, position)
          const end = next < 0 || next > lineEnd ? lineEnd : next
          cells.push(text.slice(position, end))
          position = end
        }
        if (position >= lineEnd) break
        if (!text.startsWith(delimiter, position)) {
          reader.fault = 'something stands behind a quoted value'
          break
        }
        position += delimiter.length
      }
      reader.end = lineEnd
      return cells
    },
  }
  return reader
}

/** Index of the quote that ends a value; -1 where there is none. */
function closingQuote(text: string, from: number): number {
  let index = text.indexOf('"', from)
  while (index >= 0 && text.charCodeAt(index + 1) === quote) index = text.indexOf('"', index + 2)
  return index
}

/**
 * The first line end at an index or after it; the length of the text where there is none. Caches its result: a text
 * without CR is searched for one only once.
 */
function createLineEnds(text: string): (from: number) => number {
  let feed = -1
  let carriage = -1
  const indexFrom = (character: string, from: number): number => {
    const index = text.indexOf(character, from)
    return index < 0 ? text.length : index
  }
  return (from) => {
    if (feed < from) feed = indexFrom('\n', from)
    if (carriage < from) carriage = indexFrom('\r', from)
    return Math.min(feed, carriage)
  }
}

function lineEndLength(text: string, index: number): number {
  const isPair =
    text.charCodeAt(index) === carriageReturn && text.charCodeAt(index + 1) === lineFeed
  return isPair ? 2 : 1
}
