import type { DemoAccount, MatrixEntry } from '@engine/contract/admin-api'
import { describe, expect, test } from 'vitest'
import {
  accountOfTour,
  cardBeside,
  cardIds,
  firstState,
  isGranted,
  tour,
  withoutTour,
} from './tour-state.ts'

describe('which card is open', () => {
  test.each([
    ['', null, undefined],
    ['?tour=0', null, undefined],
    ['?tour=1', null, 'ask'],
    ['?sql=select+1&tour=1', null, 'ask'],
    ['', 'again', 'again'],
    // The link of a tour that is open does not begin it again.
    ['?tour=1', 'allow', 'allow'],
    ['', 'something else', undefined],
    ['?tour=1', 'something else', 'ask'],
  ])('with the address %j and %j kept: %s', (search, kept, card) => {
    expect(firstState(search, kept)).toEqual({ card, isTurnedTo: false })
  })

  test.each([
    ['', ''],
    ['?tour=1', ''],
    ['?sql=select%201', '?sql=select%201'],
    ['?a=1&tour=1&b=2', '?a=1&b=2'],
  ])('the address %j goes on as %j', (search, rest) => {
    expect(withoutTour(search)).toBe(rest)
  })

  test('the cards follow each other, and there is none beyond them', () => {
    expect(cardIds.map((card) => cardBeside(card, 1))).toEqual(['allow', 'again', undefined])
    expect(cardIds.map((card) => cardBeside(card, -1))).toEqual([undefined, 'ask', 'allow'])
  })
})

describe('what a card shows', () => {
  const entry: MatrixEntry = {
    role: tour.role,
    table: tour.table,
    operation: 'select',
    grants: [{ permission: tour.rule, columns: ['name', 'unit_price'] }],
    restrict: [],
    masked: [],
  }
  const matrix = (more: Partial<MatrixEntry>, isOpen = false) => ({
    isOpen,
    roles: [],
    tables: [],
    entries: [{ ...entry, ...more }],
  })
  const grants = [{ permission: 'any', columns: ['name', 'cost'] }]

  test.each([
    ['the rule of the start', matrix({}), false],
    ['the column is listed', matrix({ grants }), true],
    ['another rule lists it', matrix({ grants: [...entry.grants, ...grants] }), true],
    ['every column', matrix({ grants: [{ permission: 'any', columns: '*' }] }), true],
    ['every column, where none is listed', matrix({ grants: [{ permission: 'any' }] }), true],
    ['another role', matrix({ grants, role: 'support' }), false],
    ['another table', matrix({ grants, table: 'main.orders' }), false],
    ['another operation', matrix({ grants, operation: 'update' }), false],
    ['no grant at all', matrix({ grants: [] }), false],
    ['no permissions are configured', matrix({}, true), true],
  ])('can customers read the column: %s', (_, given, expected) => {
    expect(isGranted(given)).toBe(expected)
  })

  test('it asks as the account of the role, and as none where there is none', () => {
    const account = (role: string): DemoAccount => ({ name: role, email: role, role, can: '' })
    const accounts = [account('manager'), account('customer')]
    expect(accountOfTour(accounts)?.email).toBe('customer')
    expect(accountOfTour([account('manager')])).toBeUndefined()
  })
})
