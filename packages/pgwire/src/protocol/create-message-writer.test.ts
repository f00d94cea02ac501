import { PassThrough, Writable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMessageWriter } from './create-message-writer.ts'
import type { MessageWriter } from './message-writer.ts'
import { createBufferPool, pooledSize } from './output-buffer.ts'

/** Returns the bytes that a writer sends. */
async function written(write: (writer: MessageWriter) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      // Buffers are used again once they are written.
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  const writer = createMessageWriter(sink, createBufferPool())
  write(writer)
  writer.flush()
  await new Promise<void>((resolve) => sink.end(resolve))
  return Buffer.concat(chunks)
}

const hex = async (write: (writer: MessageWriter) => void) =>
  (await written(write)).toString('latin1')

test('messages are written as the protocol has them', async () => {
  expect(
    await hex((writer) => {
      writer.rowDescription([
        { name: 'a', tableOid: 70_000, columnNumber: 2, typeOid: 23, typmod: -1, format: 1 },
      ])
      writer.dataRow(['1', null, '', Buffer.of(0, 1)])
      writer.commandComplete('SELECT 1')
      writer.readyForQuery('T')
    }),
  ).toBe(
    'T\0\0\0\x1a\0\x01a\0\0\x01\x11\x70\0\x02\0\0\0\x17\0\x04\xff\xff\xff\xff\0\x01' +
      'D\0\0\0\x19\0\x04\0\0\0\x011\xff\xff\xff\xff\0\0\0\0\0\0\0\x02\0\x01' +
      'C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05T',
  )
  expect(
    await hex((writer) => {
      writer.parseComplete()
      writer.bindComplete()
      writer.closeComplete()
      writer.noData()
      writer.portalSuspended()
      writer.emptyQueryResponse()
      writer.parameterDescription([23, 3_000_000_000])
      writer.parameterStatus('TimeZone', 'UTC')
      writer.copyInResponse(0, 2)
      writer.copyOutResponse(1, 1)
      writer.copyData('x\n')
      writer.copyDone()
      writer.raw(Buffer.from('raw'))
    }),
  ).toBe(
    '1\0\0\0\x042\0\0\0\x043\0\0\0\x04n\0\0\0\x04s\0\0\0\x04I\0\0\0\x04' +
      't\0\0\0\x0e\0\x02\0\0\0\x17\xb2\xd0\x5e\0' +
      'S\0\0\0\x11TimeZone\0UTC\0' +
      'G\0\0\0\x0b\0\0\x02\0\0\0\0H\0\0\0\x09\x01\0\x01\0\x01d\0\0\0\x06x\nc\0\0\0\x04raw',
  )
})

test('an error has the fields that are known, and no NUL cuts them short', async () => {
  const fields = {
    severity: 'FATAL',
    sqlState: '28000',
    message: 'a\0b',
    detail: 'd',
    hint: 'h',
    position: 7,
    table: 't',
  } as const
  expect(await hex((writer) => writer.error(fields))).toBe(
    'E\0\0\0\x2aSFATAL\0VFATAL\0C28000\0Mab\0Dd\0Hh\0P7\0tt\0\0',
  )
})

test('texts of every length and alphabet are UTF-8', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 3_000 }),
      async (texts, padding) => {
        const cells = [...texts, 'ä'.repeat(padding)]
        const bytes = await written((writer) => writer.dataRow(cells))
        let at = 7
        for (const cell of cells) {
          const length = bytes.readInt32BE(at)
          expect(bytes.subarray(at + 4, at + 4 + length)).toEqual(Buffer.from(cell))
          at += 4 + length
        }
        expect(at).toBe(bytes.length)
        expect(bytes.readInt32BE(1)).toBe(bytes.length - 1)
      },
    ),
    { numRuns: 20 },
  )
})

test('many rows go out in pieces of some kilobytes, without being asked to', async () => {
  const sizes: number[] = []
  const sink = new Writable({
    highWaterMark: 1_000_000,
    write: (chunk: Buffer, _, done) => {
      sizes.push(chunk.length)
      done()
    },
  })
  const writer = createMessageWriter(sink, createBufferPool())
  for (let i = 0; i < 10_000; i += 1) writer.dataRow(['0123456789'])
  expect(sizes.length).toBeGreaterThan(5)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(pooledSize)
  expect(Math.min(...sizes)).toBeGreaterThan(16_000)
})

test('a buffer is not used again while it is still being sent', async () => {
  const sent: string[] = []
  const sink = new Writable({
    highWaterMark: 1_000_000,
    write: (chunk: Buffer, _, done) => {
      setImmediate(() => {
        sent.push(chunk.toString('latin1'))
        done()
      })
    },
  })
  const writer = createMessageWriter(sink, createBufferPool())
  for (let i = 0; i < 5_000; i += 1) writer.commandComplete(`SELECT ${i}`)
  writer.flush()
  await new Promise<void>((resolve) => sink.end(resolve))
  const tags = sent.join('').match(/SELECT \d+/g)
  expect(tags).toEqual(Array.from({ length: 5_000 }, (_, i) => `SELECT ${i}`))
})

test('what is flushed while more is to come goes out with it', async () => {
  const sizes: number[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      sizes.push(chunk.length)
      done()
    },
  })
  const writer = createMessageWriter(sink, createBufferPool())
  writer.hold(true)
  writer.readyForQuery('I')
  writer.flush()
  writer.readyForQuery('I')
  expect(sizes).toEqual([])
  writer.hold(false)
  expect(sizes).toEqual([12])
  writer.readyForQuery('I')
  writer.hold(false)
  expect(sizes).toEqual([12])
  writer.flush()
  expect(sizes).toEqual([12, 6])
})

test('what is flushed does not wait for more beyond this turn', async () => {
  const sizes: number[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      sizes.push(chunk.length)
      done()
    },
  })
  const writer = createMessageWriter(sink, createBufferPool())
  writer.hold(true)
  writer.readyForQuery('I')
  writer.flush()
  await new Promise(setImmediate)
  expect(sizes).toEqual([6])
  writer.bindComplete()
  await new Promise(setImmediate)
  expect(sizes).toEqual([6])
  writer.flush()
  writer.hold(false)
  await new Promise(setImmediate)
  expect(sizes).toEqual([6, 5])
})

test('drained resolves when the client keeps up again, or has disconnected', async () => {
  const slow = new PassThrough({ highWaterMark: 10 })
  const writer = createMessageWriter(slow, createBufferPool())
  expect(writer.drained()).toBeUndefined()
  writer.commandComplete('SELECT 1000000')
  writer.flush()
  const drained = writer.drained()
  expect(drained).toBeInstanceOf(Promise)
  expect(writer.drained()).toBe(drained)
  slow.resume()
  await drained
  expect(writer.drained()).toBeUndefined()

  const gone = new PassThrough({ highWaterMark: 10 })
  const another = createMessageWriter(gone, createBufferPool())
  another.commandComplete('SELECT 1000000')
  another.flush()
  const waiting = another.drained()
  gone.destroy()
  await waiting
  another.commandComplete('SELECT 1')
  another.flush()
  expect(another.drained()).toBeUndefined()
})
