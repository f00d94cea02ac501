import { expect, test } from 'vitest'
import { createFrameReader } from './frames.ts'

function message(type: string, content: string): Buffer {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(content))
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(content, 5)
  return bytes
}

/** Messages and refusals in the order of the callbacks. */
function listen(maxBytes = 1_000) {
  const told: string[] = []
  const reader = createFrameReader(maxBytes, {
    onMessage: (type, bytes, start, end) => {
      told.push(String.fromCharCode(type) + bytes.toString('utf8', start, end))
      if (type === 'X'.charCodeAt(0)) reader.stop()
    },
    onRefused: (reason) => void told.push(reason),
  })
  return { told, reader }
}

const stream = Buffer.concat([
  message('D', 'one'),
  message('D', ''),
  message('C', 'x'.repeat(300)),
  message('Z', 'I'),
])
const whole = ['Done', 'D', `C${'x'.repeat(300)}`, 'ZI']

test('messages are the same however the bytes come', () => {
  for (let size = 1; size <= stream.length; size++) {
    const { told, reader } = listen()
    for (let offset = 0; offset < stream.length; offset += size) {
      reader.read(Buffer.from(stream.subarray(offset, offset + size)))
    }
    expect(told).toEqual(whole)
  }
})

test('a message is passed on when it is complete, and not before', () => {
  const { told, reader } = listen()
  reader.read(stream.subarray(0, 7))
  expect(told).toEqual([])
  reader.read(stream.subarray(7, 12))
  expect(told).toEqual(['Done'])
  reader.read(stream.subarray(12, 13))
  expect(told).toEqual(['Done', 'D'])
})

test('a message that says it is too large is refused before it has come', () => {
  const { told, reader } = listen(100)
  reader.read(Buffer.concat([message('D', 'one'), message('D', 'x'.repeat(200)).subarray(0, 6)]))
  reader.read(message('Z', 'I'))
  expect(told).toEqual(['Done', 'tooLarge'])
})

test('bytes that cannot be a message are refused, and nothing after them is read', () => {
  const { told, reader } = listen()
  reader.read(Buffer.concat([message('D', 'one'), Buffer.from('D\0\0\0\u0003'), message('Z', 'I')]))
  reader.read(message('Z', 'I'))
  expect(told).toEqual(['Done', 'malformed'])
})

test('a reader that is stopped hands nothing on, not even of what it has', () => {
  const { told, reader } = listen()
  reader.read(Buffer.concat([message('X', ''), message('D', 'one')]))
  reader.read(message('Z', 'I'))
  expect(told).toEqual(['X'])
})
