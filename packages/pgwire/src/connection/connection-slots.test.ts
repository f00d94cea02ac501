import { admin, anonymous, type Caller } from '@engine/core'
import { expect, test } from 'vitest'
import { createConnectionSlots } from './connection-slots.ts'

const user = (id: string): Caller => ({ kind: 'user', id, roles: [], fields: {} })
const refused = expect.objectContaining({ sqlState: '53300' })

test('there are as many slots as are configured, and a released slot is free', () => {
  const slots = createConnectionSlots(3)
  const release = slots.take(user('a'))
  slots.take(anonymous)
  slots.take(admin)
  expect(() => slots.requireFree()).toThrow(refused)
  expect(() => slots.take(user('b'))).toThrow(refused)
  release()
  slots.requireFree()
  slots.take(user('b'))
  expect(() => slots.take(user('b'))).toThrow(refused)
})

test('the last slots are not for a user who has half of all', () => {
  const slots = createConnectionSlots(100)
  for (let i = 0; i < 95; i += 1) slots.take(user('greedy'))
  expect(() => slots.take(user('greedy'))).toThrow(refused)
  slots.take(user('modest'))
  slots.take(anonymous)
  slots.take(admin)
})

test('clients that log in have their own slots, half of them at most for one address', () => {
  const slots = createConnectionSlots(1)
  slots.take(anonymous)
  const release = slots.takeStarting('203.0.113.1')
  for (let i = 1; i < 64; i += 1) slots.takeStarting('203.0.113.1')
  expect(() => slots.takeStarting('203.0.113.1')).toThrow(refused)
  release()
  slots.takeStarting('203.0.113.1')
  for (let i = 0; i < 64; i += 1) slots.takeStarting('127.0.0.1')
  expect(() => slots.takeStarting('127.0.0.1')).toThrow(refused)
  expect(() => slots.takeStarting('203.0.113.2')).toThrow(refused)
})
