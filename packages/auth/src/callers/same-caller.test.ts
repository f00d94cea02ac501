import type { Caller } from '@engine/core'
import { expect, test } from 'vitest'
import { createSameCaller } from './same-caller.ts'

const caller = (fields: Readonly<Record<string, unknown>>, roles = ['user']): Caller => ({
  kind: 'user',
  id: 'ada',
  roles,
  fields,
})

test('as long as nothing changes, it is the same object', () => {
  const same = createSameCaller()
  const first = same('session', caller({ tenant: 7 }))
  expect(same('session', caller({ tenant: 7 }))).toBe(first)
  expect(same('another', caller({ tenant: 7 }))).not.toBe(first)
})

test('whatever changes, it is the new one', () => {
  const same = createSameCaller()
  same('session', caller({ tenant: 7 }))
  expect(same('session', caller({ tenant: '7' })).fields).toEqual({ tenant: '7' })
  expect(same('session', caller({ tenant: '7' }, [])).roles).toEqual([])
  expect(same('session', caller({ tenant: 7 })).fields).toEqual({ tenant: 7 })
})

test('fields that JSON cannot say are never taken for others', () => {
  const same = createSameCaller()
  for (const tenant of [7n, 8n]) {
    expect(same('session', caller({ tenant })).fields).toEqual({ tenant })
  }
})
