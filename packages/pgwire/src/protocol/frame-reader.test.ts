import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodingOf } from '../encodings/encoding-of.ts'
import { createFrameReader, type FrameReader } from './frame-reader.ts'

function frame(letter: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5)
  header.write(letter, 'latin1')
  header.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([header, body])
}

const text = (value: string) => Buffer.from(`${value}\0`)
const int16 = (value: number) => Buffer.of((value >> 8) & 255, value & 255)
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value)])

function readAll(reader: FrameReader): readonly unknown[] {
  const messages: unknown[] = []
  for (let message = reader.take(); message !== undefined; message = reader.take()) {
    messages.push(message)
    if (message.type === 'desynchronised') break
  }
  return messages
}

function read(bytes: Buffer, limit = 1_000_000): readonly unknown[] {
  const reader = createFrameReader(limit)
  reader.push(bytes)
  return readAll(reader)
}

test('a message that was looked at before its turn is read in the encoding of its turn', () => {
  let encoding = encodingOf('LATIN1')
  const reader = createFrameReader(1_000, () => encoding)
  const latin = (sql: string) => frame('Q', Buffer.from(`${sql}\0`, 'latin1'))
  reader.push(Buffer.concat([latin("select 'é'"), latin("select 'ü'"), latin("select '¤'")]))
  expect(reader.take()).toEqual({ type: 'query', sql: "select 'é'" })
  expect(reader.peekType()).toBe('query')
  expect(reader.take()).toEqual({ type: 'query', sql: "select 'ü'" })
  expect(reader.peekType()).toBe('query')
  encoding = encodingOf('LATIN9')
  expect(reader.take()).toEqual({ type: 'query', sql: "select '€'" })
})

const bind = frame(
  'B',
  Buffer.concat([
    text('p'),
    text('s'),
    int16(2),
    int16(0),
    int16(1),
    int16(3),
    int32(2),
    Buffer.from('ab'),
    int32(-1),
    int32(0),
    int16(1),
    int16(1),
  ]),
)

const conversation = Buffer.concat([
  frame('Q', text('select 1')),
  frame('P', Buffer.concat([text('s'), text('select $1'), int16(1), int32(23)])),
  bind,
  frame('D', Buffer.concat([Buffer.from('S'), text('s')])),
  frame('E', Buffer.concat([text('p'), int32(10)])),
  frame('C', Buffer.concat([Buffer.from('P'), text('p')])),
  frame('H'),
  frame('S'),
  frame('d', Buffer.from('1\tä\n')),
  frame('c'),
  frame('f', text('no')),
  frame('F', Buffer.alloc(12)),
  frame('X'),
])

const spoken = [
  { type: 'query', sql: 'select 1' },
  { type: 'parse', name: 's', sql: 'select $1', parameterOids: [23] },
  {
    type: 'bind',
    portal: 'p',
    statement: 's',
    parameterFormats: [0, 1],
    parameters: [Buffer.from('ab'), null, Buffer.alloc(0)],
    resultFormats: [1],
  },
  { type: 'describe', of: 'statement', name: 's' },
  { type: 'execute', portal: 'p', maxRows: 10 },
  { type: 'close', of: 'portal', name: 'p' },
  { type: 'flush' },
  { type: 'sync' },
  { type: 'copyData', data: Buffer.from('1\tä\n') },
  { type: 'copyDone' },
  { type: 'copyFail', message: 'no' },
  { type: 'functionCall' },
  { type: 'terminate' },
]

test('every message is understood', () => {
  expect(read(conversation)).toEqual(spoken)
})

test('messages are the same in whatever pieces they come', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }), (sizes) => {
      const reader = createFrameReader(1_000)
      const messages: unknown[] = []
      let at = 0
      for (const size of [...sizes, conversation.length]) {
        reader.push(conversation.subarray(at, at + size))
        at += size
        messages.push(...readAll(reader))
      }
      expect(messages).toEqual(spoken)
      expect(reader.buffered()).toBe(0)
    }),
  )
})

test('bytes that come one at a time keep earlier values as they were', () => {
  const reader = createFrameReader(1_000)
  const taken: unknown[] = []
  const data = frame('d', Buffer.from('first'))
  for (const byte of Buffer.concat([data, bind, frame('d', Buffer.from('other'))])) {
    reader.push(Buffer.of(byte))
    taken.push(...readAll(reader))
  }
  expect(taken).toEqual([
    { type: 'copyData', data: Buffer.from('first') },
    spoken[2],
    { type: 'copyData', data: Buffer.from('other') },
  ])
})

test('the type of the next message is known when it has arrived', () => {
  const reader = createFrameReader(100)
  reader.push(Buffer.concat([frame('H'), frame('S'), frame('Q', text('x')).subarray(0, 6)]))
  expect(reader.take()).toEqual({ type: 'flush' })
  expect(reader.peekType()).toBe('sync')
  expect(reader.take()).toEqual({ type: 'sync' })
  expect(reader.peekType()).toBeUndefined()
  reader.push(Buffer.of(0))
  expect(reader.peekType()).toBe('query')
})

test('a message larger than the limit is skipped and reported, and the next one is read', () => {
  const reader = createFrameReader(10)
  const large = frame('P', Buffer.alloc(50_000))
  const messages: unknown[] = []
  for (let at = 0; at < large.length; at += 1_000) {
    reader.push(large.subarray(at, at + 1_000))
    messages.push(...readAll(reader))
    expect(reader.buffered()).toBe(0)
  }
  reader.push(frame('S'))
  expect([...messages, ...readAll(reader)]).toEqual([
    { type: 'tooLarge', of: 'extended', size: 50_000, limit: 10 },
    { type: 'sync' },
  ])
})

test.each([
  ['an unknown type', Buffer.from('z\0\0\0\x04'), 'invalid frontend message type 122'],
  ['a length of 3', Buffer.from('Q\0\0\0\x03'), 'invalid message length'],
  ['a negative length', Buffer.from('Q\xff\xff\xff\xff', 'latin1'), 'invalid message length'],
  ['two gigabytes', Buffer.from('d\x7f\xff\xff\xff', 'latin1'), 'invalid message length'],
  ['a Sync of a megabyte', Buffer.from('S\0\x10\0\0'), 'invalid message length'],
])('%s ends the conversation', (_, bytes, reason) => {
  expect(read(bytes)).toEqual([{ type: 'desynchronised', reason }])
})

const badUtf8 = Buffer.concat([Buffer.from("select '"), Buffer.of(0xc3, 0x28, 0x27, 0)])

test.each([
  [
    'Q without an end',
    frame('Q', Buffer.from('x')),
    'simple',
    '08P01',
    'invalid string in message',
  ],
  ['Q with a rest', frame('Q', text('x\0y')), 'simple', '08P01', 'invalid message format'],
  ['Q of nothing', frame('Q'), 'simple', '08P01', 'invalid string in message'],
  [
    'Q in Latin-1',
    frame('Q', badUtf8),
    'simple',
    '22021',
    'invalid byte sequence for encoding "UTF8": 0xc3 0x28',
  ],
  [
    'a truncated P',
    frame('P', Buffer.concat([text('s'), text('x'), int16(5), int32(23)])),
    'extended',
    '08P01',
    'insufficient data left in message',
  ],
  [
    'B with a length of -2',
    frame('B', Buffer.concat([text(''), text(''), int16(0), int16(1), int32(-2), int16(0)])),
    'extended',
    '08P01',
    'insufficient data left in message',
  ],
  [
    'B with format 2',
    frame('B', Buffer.concat([text(''), text(''), int16(1), int16(2), int16(0), int16(0)])),
    'extended',
    '22023',
    'unsupported format code: 2',
  ],
  [
    'D of something else',
    frame('D', Buffer.concat([Buffer.from('X'), text('')])),
    'extended',
    '08P01',
    'invalid DESCRIBE message subtype 88',
  ],
  [
    'C of something else',
    frame('C', Buffer.concat([Buffer.from('X'), text('')])),
    'extended',
    '08P01',
    'invalid CLOSE message subtype 88',
  ],
  ['S with a body', frame('S', Buffer.alloc(1)), 'simple', '08P01', 'invalid message format'],
  ['H with a body', frame('H', Buffer.alloc(1)), 'extended', '08P01', 'invalid message format'],
])('%s is malformed, and what follows is understood', (_, bytes, of, sqlState, reason) => {
  expect(read(Buffer.concat([bytes, frame('S')]))).toEqual([
    { type: 'malformed', of, sqlState, reason },
    { type: 'sync' },
  ])
})

test('U+FFFD itself is valid', () => {
  expect(read(frame('Q', text("select '\ufffd'")))).toEqual([
    { type: 'query', sql: "select '\ufffd'" },
  ])
})

test('whatever comes, it is read to its end or refused', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
      const reader = createFrameReader(64)
      for (const chunk of chunks) {
        reader.push(Buffer.from(chunk))
        const messages = readAll(reader)
        if (messages.some((message) => (message as { type: string }).type === 'desynchronised'))
          return
        expect(reader.buffered()).toBeLessThan(64 + 5)
      }
    }),
  )
})
