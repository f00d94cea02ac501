import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import { validatedInput, validatedOutput } from './validate.ts'

function refusing(...issues: readonly StandardSchemaV1.Issue[]): StandardSchemaV1 {
  return { '~standard': { version: 1, vendor: 'test', validate: async () => ({ issues }) } }
}

const doubling: StandardSchemaV1 = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: Number(value) * 2 }),
  },
}

test('the schema may change what was sent and what is answered', async () => {
  expect(await validatedInput(doubling, '4')).toBe(8)
  expect(await validatedOutput(doubling, '4')).toBe(8)
  expect(await validatedOutput(undefined, '4')).toBe('4')
})

test('the message names the first fields, the details more of them', async () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ message: 'is wrong', path: ['list', i] }))
  const schema = refusing(
    { message: 'is missing', path: [{ key: 'a' }, { key: 'b' }] },
    { message: 'x'.repeat(1_000) },
    ...many,
  )
  const error: unknown = await validatedInput(schema, {}).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    problem: 'invalidInput',
    message: `The input is not valid. a.b: is missing; input: ${'x'.repeat(200)}; list[0]: is wrong (and 29 more)`,
  })
  const { details } = error as { readonly details: { readonly issues: readonly object[] } }
  expect(details.issues).toHaveLength(20)
  expect(details.issues[0]).toEqual({ path: 'a.b', message: 'is missing' })
})

test('an output that does not fit is a fault of the action', async () => {
  const work = validatedOutput(refusing({ message: 'no', path: ['id'] }), {})
  await expect(work).rejects.toThrow('the output of the action does not fit its schema: id: no')
})
