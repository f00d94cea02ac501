import { describe, expect, test } from 'vitest'
import { engineCodecs } from './drizzle-codecs.ts'

interface Codec {
  readonly castInJson?: unknown
  readonly normalize: (value: string) => unknown
  readonly normalizeArray: (value: unknown[], dimensions: number) => unknown
  readonly normalizeInJson: (value: string) => unknown
  readonly normalizeArrayInJson: (value: unknown[], dimensions: number) => unknown
}

const castInJson = () => 'encode'
const { bytea, date } = engineCodecs({
  date: { normalize: Date },
  bytea: { castInJson, normalizeInJson: () => 'of Drizzle' } as unknown as Codec,
})
const bytes = Buffer.from([0, 1, 254, 255])

test('the codecs of other types and the casts of bytes are those that were given', () => {
  expect(date).toEqual({ normalize: Date })
  expect(bytea.castInJson).toBe(castInJson)
})

test('bytes are a Buffer', () => {
  expect(bytea.normalize('\\x0001feff')).toStrictEqual(bytes)
  expect(bytea.normalize('\\x')).toStrictEqual(Buffer.alloc(0))
})

test('arrays keep their shape and their NULLs', () => {
  expect(bytea.normalizeArray(['\\x0001feff', null], 1)).toStrictEqual([bytes, null])
  expect(bytea.normalizeArray([['\\x'], ['\\x0001feff']], 2)).toStrictEqual([
    [Buffer.alloc(0)],
    [bytes],
  ])
})

describe('in relations bytes come in base64', () => {
  test('also in several lines', () => {
    const long = Buffer.alloc(200, 'bytes')
    const lines = long.toString('base64').match(/.{1,76}/g)
    expect(bytea.normalizeInJson(lines?.join('\n') ?? '')).toStrictEqual(long)
  })

  test('and in arrays', () => {
    const given = [bytes.toString('base64'), null]
    expect(bytea.normalizeArrayInJson(given, 1)).toStrictEqual([bytes, null])
  })
})

test('without codecs for bytes, and without Buffer, they are a Uint8Array', () => {
  const { Buffer: buffer } = globalThis
  const codecs = engineCodecs({}) as { readonly bytea?: Codec }
  Object.assign(globalThis, { Buffer: undefined })
  const read = codecs.bytea?.normalize('\\x01ff')
  Object.assign(globalThis, { Buffer: buffer })
  expect(read).toStrictEqual(Uint8Array.from([1, 255]))
})
