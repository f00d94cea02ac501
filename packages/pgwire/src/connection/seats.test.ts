import { admin, anonymous, type Caller } from '@engine/core'
import { expect, test } from 'vitest'
import { createSeats } from './seats.ts'

const user = (id: string): Caller => ({ kind: 'user', id, roles: [], fields: {} })
const refused = expect.objectContaining({ sqlState: '53300' })

test('there are as many places as are configured, and a place that is given back is free', () => {
  const seats = createSeats(3)
  const leave = seats.take(user('a'))
  seats.take(anonymous)
  seats.take(admin)
  expect(() => seats.requireRoom()).toThrow(refused)
  expect(() => seats.take(user('b'))).toThrow(refused)
  leave()
  seats.requireRoom()
  seats.take(user('b'))
  expect(() => seats.take(user('b'))).toThrow(refused)
})

test('the last places are not for somebody who has half of them', () => {
  const seats = createSeats(100)
  for (let i = 0; i < 95; i += 1) seats.take(user('greedy'))
  expect(() => seats.take(user('greedy'))).toThrow(refused)
  seats.take(user('modest'))
  seats.take(anonymous)
  seats.take(admin)
})

test('those who log in have their own places, half of them at most for one address', () => {
  const seats = createSeats(1)
  seats.take(anonymous)
  const leave = seats.arrive('203.0.113.1')
  for (let i = 1; i < 64; i += 1) seats.arrive('203.0.113.1')
  expect(() => seats.arrive('203.0.113.1')).toThrow(refused)
  leave()
  seats.arrive('203.0.113.1')
  for (let i = 0; i < 64; i += 1) seats.arrive('127.0.0.1')
  expect(() => seats.arrive('127.0.0.1')).toThrow(refused)
  expect(() => seats.arrive('203.0.113.2')).toThrow(refused)
})
