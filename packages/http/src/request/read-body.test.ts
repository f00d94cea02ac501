import { expect, test } from 'vitest'
import { readJson } from './read-body.ts'

const json = { 'Content-Type': 'application/json' }

function post(
  body: ConstructorParameters<typeof Response>[0],
  headers: Record<string, string> = json,
): Request {
  return new Request('http://localhost/data', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
}

function chunked(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
}

test('a JSON body is read, whole or in chunks', async () => {
  expect(await readJson(post('{"a":1}'), 100)).toEqual({ a: 1 })
  expect(await readJson(post(chunked('{"a"', ':1}')), 100)).toEqual({ a: 1 })
})

test('a body over the limit is 413, announced or not', async () => {
  const announced = post('[1,2,3]', { ...json, 'Content-Length': '7' })
  await expect(readJson(announced, 6)).rejects.toMatchObject({ status: 413 })
  await expect(readJson(post(chunked('[1,', '2,3]')), 6)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    status: 413,
  })
})

test.each([
  ['no JSON', '{"a":'],
  ['nothing', ''],
  ['a bare word', 'hello'],
])('%s is 400', async (_, body) => {
  await expect(readJson(post(body), 100)).rejects.toMatchObject({ status: 400 })
})

test('bytes that are no UTF-8 are 400', async () => {
  await expect(readJson(post(new Uint8Array([0x22, 0xff, 0x22])), 100)).rejects.toMatchObject({
    status: 400,
  })
})

test('another content type is 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json, text/plain',
  ]) {
    await expect(readJson(post('{}', { 'Content-Type': type }), 100)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      status: 415,
    })
  }
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8";',
    'application/json; version=2; charset=utf-8',
  ]) {
    expect(await readJson(post('{}', { 'Content-Type': type }), 100)).toEqual({})
  }
})

test.each([
  ['a whole number', '9007199254740993'],
  ['many digits behind the point', '0.12345678901234567'],
  ['many digits around the point', '123456789.123456789'],
  ['a number beyond the range of a double', '1e400'],
  ['a number too small for a double', '-1.5E-400'],
])('digits that a double cannot hold are kept: %s', async (_, digits) => {
  const text = `{"params":[${digits},1.5,"${digits}"]}`
  expect(JSON.stringify(await readJson(post(text), 100))).toBe(text)
})

test('a number that a double holds is a number', async () => {
  const text = '{"params":[12345678901234567,1.5,20]}'
  expect(await readJson(post(text), 100)).toMatchObject({ params: [expect.anything(), 1.5, 20] })
})

test('a body longer than it announced does not pass the limit', async () => {
  const lying = post('[1,2,3]', { ...json, 'Content-Length': '2' })
  await expect(readJson(lying, 6)).rejects.toMatchObject({ status: 413 })
})

test('a compressed body is 415, whatever its size', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'x-unknown']) {
    const compressed = post('{}', { ...json, 'Content-Encoding': encoding })
    await expect(readJson(compressed, 100)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      status: 415,
    })
  }
  expect(await readJson(post('{}', { ...json, 'Content-Encoding': 'identity' }), 100)).toEqual({})
})

test('a length that is no number does not lift the limit', async () => {
  for (const length of ['x', '-1', '1e1', '']) {
    const odd = post('[1,2,3]', { ...json, 'Content-Length': length })
    await expect(readJson(odd, 6)).rejects.toMatchObject({ status: 413 })
  }
})
