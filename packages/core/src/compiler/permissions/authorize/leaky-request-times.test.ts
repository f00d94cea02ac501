import { describe, expect, test } from 'vitest'
import { bindShop } from '../../bind/test-support/bind-shop-for-test.ts'
import { isLeakproof } from '../barrier/leaky-operation.ts'

/** A session whose database computes in its zone: nothing is folded there. */
const inZone = {
  timeZone: {
    name: 'Asia/Tokyo',
    computedIn: 'Asia/Tokyo',
    withOffset: (_: number, text: string) => text,
  },
  hasSettings: true,
}

function isConditionLeakproof(condition: string): boolean | undefined {
  const { body, connection } = bindShop(`select id from main.orders where ${condition}`, inZone)
  const where = 'where' in body ? body.where : undefined
  return where && isLeakproof(where, connection.types)
}

describe("arithmetic on the request's moment that is left to the database", () => {
  test.each([
    "$1::timestamptz > now() - interval '7 days'",
    "$1::timestamptz > interval '1 month 2 days' + now()",
    '$1::date > current_date - 7',
    '$1::date = current_date',
    "$1::timestamp < localtimestamp - interval '1 hour'",
  ])('%s can fail on no row', (condition) => {
    expect(isConditionLeakproof(condition)).toBe(true)
  })

  test.each([
    '$1::timestamptz > now() - $2::interval',
    "$1::timestamptz > now() - interval '5000 years'",
    "$1::timestamptz > now() - interval '7 days' - interval '5000 years'",
    '$1::date > current_date - id',
  ])('%s may', (condition) => {
    expect(isConditionLeakproof(condition)).toBe(false)
  })
})
