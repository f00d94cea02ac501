import { expect, test } from 'vitest'
import { readComment } from './comment.ts'

test('a comment has a text and tags', () => {
  const comment = `
 * Opens it, see {@link createEngine}.
 *
 * Second paragraph.
 *
 * @param url where it is:
 *   a path
 * @throws {GatewayError} when it is not there.
 * @example
 * const engine = await createEngine({
 *   connections: { main: 'a.db' },
 * })
 `
  expect(readComment(comment)).toEqual({
    text: 'Opens it, see `createEngine`.\n\nSecond paragraph.',
    tags: [
      { name: 'param', text: 'url where it is:\n  a path' },
      { name: 'throws', text: '{GatewayError} when it is not there.' },
      {
        name: 'example',
        text: "const engine = await createEngine({\n  connections: { main: 'a.db' },\n})",
      },
    ],
  })
})

test('a comment of one line is its text', () => {
  expect(readComment(' Has one. ')).toEqual({ text: 'Has one.', tags: [] })
})
