import { expect, test } from 'vitest'
import { bindFailure, bindText, bindTypes } from '../test-support/bind-for-test.ts'

test.for([
  ['case when b then 1 else 2.5 end', `(case (when b '1':numeric) (else '2.5':numeric))`],
  ['case when b then $1 end', '(case (when b $1:text))'],
  [
    `case i when 1 then 'a' when $1 then 'b' end`,
    `(case (when (=(int4,int4) i '1':integer) 'a':text) (when (=(int4,int4) i $1:integer) 'b':text))`,
  ],
  [`case $1 when 'a' then 1 end`, `(case (when (=(text,text) $1:text 'a':text) '1':integer))`],
  ['coalesce(i, $1, 1.5)', `(coalesce (implicit numeric/function i) $1:numeric '1.5':numeric)`],
  ['greatest(d, ts)', '(greatest (implicit timestamp_without_time_zone/function d) ts)'],
  ['least(i, $1)', '(least i $1:integer)'],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test('a scale stays where every branch has it', () => {
  expect(bindTypes('case when b then n2 else n2 end')).toBe('numeric(10,2)')
  expect(bindTypes('case when b then n2 end')).toBe('numeric')
  expect(bindTypes('coalesce(n2, 0)')).toBe('numeric')
})

test('the operand of a simple CASE may not be volatile', () => {
  expect(bindFailure('case random() when 1 then 2 end')).toContain(
    'unsupported 0A000: CASE over a volatile expression',
  )
})

test('simple CASE inside simple CASE cannot grow without bound', () => {
  const nested = Array.from({ length: 20 }).reduce<string>(
    (inner) => `(case ${inner} when 1 then 1 when 2 then 2 end)`,
    'i',
  )
  expect(bindFailure(nested)).toContain('limitExceeded')
})

test.for([
  ['case when b then i else t end', '42804: CASE types text and integer cannot be matched'],
  ['case when i then 1 end', '42804: argument of CASE/WHEN must be type boolean'],
  ['coalesce(i, t)', '42804: COALESCE types integer and text cannot be matched'],
  ['greatest(j, j)', '42883: could not identify a comparison function for type json'],
  ['coalesce(unnest(ia), 1)', '0A000: set-returning functions are not allowed in COALESCE'],
  ['case when b then unnest(ia) end', '0A000: set-returning functions are not allowed in CASE'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})
