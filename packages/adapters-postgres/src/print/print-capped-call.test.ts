import type { GatewayError } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import type { Expression } from '@engine/core/tree'
import { expect, test } from 'vitest'
import {
  aggregate,
  call,
  column,
  constant,
  int4,
  operation,
  orders,
  printed,
  select,
  text,
  typeOf,
  whole,
} from '../../test/support/trees.ts'

const word = column(1, 2, text)
const count = column(1, 0)

function output(expression: Expression): string {
  return printed(select([expression], [whole(orders, 1)])).replace(/ from "public".*$/, '')
}

function refusal(expression: Expression): string {
  try {
    output(expression)
  } catch (error) {
    const { problem, message } = error as GatewayError
    return `${problem}: ${message}`
  }
  return 'none'
}

test('constants are the business of the binder', () => {
  expect(output(call('repeat', constant('x', text), constant('3')))).toBe(
    'select pg_catalog.repeat($1::pg_catalog.text, $2::pg_catalog.int4)',
  )
  expect(output(call('lpad', word, constant('3')))).toBe(
    'select pg_catalog.lpad(t1."note", $1::pg_catalog.int4)',
  )
  expect(output(call('generate_series', constant('1'), constant('3')))).toBe(
    'select pg_catalog.generate_series($1::pg_catalog.int4, $2::pg_catalog.int4)',
  )
})

test('a text is repeated as long as all of it is short enough', () => {
  expect(output(call('repeat', word, count))).toBe(
    'select pg_catalog.repeat(t1."note", (case when pg_catalog.length(t1."note")::pg_catalog.int8 * t1."id" > 10000000 then 2147483647 else t1."id" end))',
  )
  expect(output(call('repeat', word, constant('3')))).toContain('> 10000000 then')
})

test('a text is filled up to a length', () => {
  expect(output(call('rpad', word, count, constant('.', text)))).toBe(
    'select pg_catalog.rpad(t1."note", (case when t1."id" > 10000000 then 2147483647 else t1."id" end), $1::pg_catalog.text)',
  )
})

test('a circle becomes a polygon of so many points', () => {
  const circle = constant('<(0,0),1>', typeOf(718))
  expect(output(call('polygon', count, circle))).toBe(
    'select pg_catalog.polygon((case when t1."id" > 100000 then 2147483647 else t1."id" end), $1::pg_catalog.circle)',
  )
})

test('a series has an end', () => {
  expect(output(call('generate_series', constant('1'), count))).toBe(
    `select pg_catalog.generate_series($1::pg_catalog.int4, (case when pg_catalog.repeat('x', case when (t1."id"::pg_catalog.numeric - $1::pg_catalog.int4) / nullif(1, 0) >= 1000000 then 2147483647 else 0 end) = '' then t1."id" end))`,
  )
  const moment = (value: string) => constant(value, typeOf(oids.timestamp))
  const step = constant('1 day', typeOf(oids.interval))
  expect(output(call('generate_series', moment('2020-01-01'), moment('2020-02-01'), step))).toBe(
    `select pg_catalog.generate_series($1::pg_catalog.timestamp, (case when pg_catalog.repeat('x', case when pg_catalog.date_part('epoch', $2::pg_catalog.timestamp - $1::pg_catalog.timestamp) / nullif(pg_catalog.date_part('epoch', $3::pg_catalog.interval), 0) >= 1000000 then 2147483647 else 0 end) = '' then $2::pg_catalog.timestamp end), $3::pg_catalog.interval)`,
  )
})

test('a set-returning function cannot stand in a CASE', () => {
  const series = call('generate_series', constant('1'), constant('3'))
  const repeated = output(call('repeat', word, series))
  expect(repeated).not.toContain('case')
  expect(repeated).toContain('2147483647')
  expect(output(call('lpad', word, series))).not.toContain('case')
  expect(refusal(call('generate_series', constant('1'), series))).toBe(
    'unsupported: generate_series() of a set-returning function is not supported on PostgreSQL',
  )
})

test('a bar chart keeps its aggregate', () => {
  const stars = call('repeat', constant('*', text), {
    kind: 'cast',
    operand: aggregate('count'),
    method: 'function',
    isExplicit: true,
    type: int4,
  })
  expect(output(stars)).toContain('else pg_catalog.count(*)::pg_catalog.int4 end')
})

test('what cannot be evaluated twice is refused', () => {
  const random: Expression = {
    kind: 'cast',
    operand: call('random'),
    method: 'function',
    isExplicit: true,
    type: int4,
  }
  expect(refusal(call('repeat', word, random))).toBe(
    'unsupported: a volatile argument of repeat() is not supported on PostgreSQL',
  )
  expect(refusal(call('lpad', word, random))).toContain('unsupported')
  expect(refusal(call('generate_series', constant('1'), random))).toContain('unsupported')
  expect(output(call('repeat', call('md5', word), operation('+', count, constant('1'))))).toContain(
    'case when',
  )
})

test('guards inside guards cannot grow without bound', () => {
  const nested = Array.from({ length: 20 }).reduce<Expression>(
    (inner) => call('repeat', inner, count),
    word,
  )
  expect(refusal(nested)).toBe('limitExceeded: An argument of repeat() is too large.')
})
