import { expect, test } from 'vitest'
import { bindFailure, bindText } from '../test-support/bind-for-test.ts'

test.for([
  ['0', `'0':integer`],
  ['2147483647', `'2147483647':integer`],
  ['-2147483648', `'-2147483648':integer`],
  ['2147483648', `'2147483648':bigint`],
  ['9223372036854775807', `'9223372036854775807':bigint`],
  ['9223372036854775808', `'9223372036854775808':numeric`],
  ['1.50', `'1.50':numeric`],
  ['.5', `'0.5':numeric`],
  ['5.', `'5':numeric`],
  ['1e3', `'1000':numeric`],
  ['0x1F', `'31':integer`],
  ['0xFFFFFFFFFF', `'1099511627775':bigint`],
  ['1_000', `'1000':integer`],
  ['1_000_000_000_000', `'1000000000000':bigint`],
  ['true', `'true':boolean`],
  ['false', `'false':boolean`],
  ['null', 'null:text'],
  [`'a''b'`, `'a'b':text`],
  [`E'\\x41'`, `'A':text`],
  [`b'0101'`, `'0101':"bit"`],
  [`X'aF'`, `'10101111':"bit"`],
  [`i::bit(4)`, '(cast bit(4)/function i)'],
])('%s is a constant of the smallest fitting type', ([literal, text]) => {
  expect(bindText(literal ?? '')).toBe(text)
})

test.for([
  [`date '2024-02-29'`, `'2024-02-29':date`],
  [
    `timestamp(1) '2024-01-01T10:00:00.16'`,
    `'2024-01-01 10:00:00.2':timestamp(1)_without_time_zone`,
  ],
  [`timestamptz '2024-01-01 10:00+02'`, `'2024-01-01 08:00:00+00':timestamp_with_time_zone`],
  [`interval '90 days'`, `'90 days':interval`],
  [`interval '2' hour`, `'02:00:00':interval_hour`],
  [`'abcdef'::varchar(3)`, `'abc':character_varying(3)`],
  [`'1.239'::numeric(5,2)`, `'1.24':numeric(5,2)`],
  [`'{1,NULL,3}'::int[]`, `{'1',null,'3'}:integer[]`],
  [`'{{a},{b}}'::text[]`, `{{'a'},{'b'}}:text[]`],
  [`'happy'::mood`, `'happy':mood`],
  [`'{"a": 1}'::jsonb`, `'{"a": 1}':jsonb`],
  [`'\\xFF'::bytea`, `'\\xff':bytea`],
  [`'yes'::bool`, `'true':boolean`],
])('%s is read by its type', ([literal, text]) => {
  expect(bindText(literal ?? '')).toBe(text)
})

test.for([
  [`int 'x'`, 'dataError 22P02'],
  [`int '3000000000'`, 'dataError 22003'],
  [`date '2024-02-30'`, 'dataError 22008'],
  [`uuid 'nope'`, 'dataError 22P02'],
  [`'angry'::mood`, 'dataError 22P02'],
  [`json '{a'`, 'dataError 22P02'],
  [`'{1,x}'::int[]`, 'dataError 22P02'],
  [`interval '1 2' day to hour`, 'unsupported 0A000'],
  [`'[0:1]={1,2}'::int[]`, 'dataError 22P02'],
  [`b'102'`, '22P02'],
  [`x'fg'`, '22P02'],
])('%s is refused', ([literal, failure]) => {
  expect(bindFailure(literal ?? '')).toContain(failure)
})
