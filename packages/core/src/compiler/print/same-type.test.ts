import { expect, test } from 'vitest'
import type { Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { Oid } from '../sql-types/pg-type.ts'
import { createTypeSystem } from '../sql-types/system/type-system.ts'
import { sameType } from './same-type.ts'

const context = { types: createTypeSystem() }

const value = (oid: Oid): Expression => ({
  kind: 'parameter',
  index: 0,
  type: { oid, typmod: -1 },
})

const oidsOf = (operands: readonly Expression[]) => operands.map(({ type }) => type.oid)

test('the narrower of two types of time is cast to the other, on either side', () => {
  const [date, timestamp] = [value(oids.date), value(oids.timestamptz)]
  const [left, right] = sameType(date, timestamp, context)
  expect(left).toMatchObject({ kind: 'cast', operand: date, isExplicit: false })
  expect(oidsOf([left, right])).toEqual([oids.timestamptz, oids.timestamptz])
  expect(oidsOf(sameType(timestamp, date, context))).toEqual([oids.timestamptz, oids.timestamptz])
})

test('other operands stay as they are', () => {
  const operands = [value(oids.text), value(oids.varchar)] as const
  expect(sameType(...operands, context)).toEqual(operands)
})
