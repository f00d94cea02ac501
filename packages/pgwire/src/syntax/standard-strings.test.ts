import type { GatewayError } from '@engine/core'
import { expect, test } from 'vitest'
import { standardStrings } from './standard-strings.ts'

const slash = '\\'

test.each([
  ['select 1', 'select 1'],
  [`select 'a${slash}${slash}b', x`, `select 'a${slash}b' , x`],
  [`select 'it${slash}'s', 'it''s'`, `select 'it''s', 'it''s'`],
  [`select 'a${slash}nb'::text`, `select 'a\nb' ::text`],
  [`select 'a${slash}${slash}'; select 'b'`, `select 'a${slash}' ; select 'b'`],
  [`select '${slash}x41', '${slash}101'`, `select E'${slash}x41', E'${slash}101'`],
  [`select E'a${slash}nb', '${slash}q'`, `select E'a${slash}nb', 'q' `],
  [`select ${slash}'`, `select ${slash}'`],
  [`select "a${slash}'b", $$${slash}'$$, $q$ '${slash}' $q$`, undefined],
  [`select 1 /* '${slash} /* ' */ '${slash}n */ -- '${slash}n\n, 2`, undefined],
  [`select B'01', date'2024-01-01', n'${slash}t'`, `select B'01', date'2024-01-01', n'\t' `],
  [`select fooE'${slash}n'`, `select fooE'\n' `],
  [`select 'ä😀${slash}t'`, `select 'ä😀\t' `],
])('%s', (sql, standard) => {
  expect(standardStrings(sql, true).sql).toBe(standard ?? sql)
})

test('says where strings with a backslash are', () => {
  const sql = `select '😀', '${slash}n', 'c', '${slash}t'`
  expect(standardStrings(sql, true).escaped).toEqual([13, 24])
})

test.each([
  [`select '${slash}''`, '22P06'],
  [`select '${slash}${slash}'`, undefined],
  ["select u&'a'", '0A000'],
])('%s where a backslash does not escape a quote', (sql, sqlState) => {
  const refused = () => standardStrings(sql, false)
  if (sqlState === undefined) expect(refused).not.toThrow()
  else expect(refused).toThrow(expect.objectContaining({ sqlState }) as GatewayError)
})

test('a megabyte of beginnings without an end is read at once', () => {
  for (const part of [`${slash}'`, "'", '$a$b', '/*', '"', "E'"]) {
    const sql = `select '${slash}n', ${part.repeat(300_000)}`
    expect(standardStrings(sql, true).escaped[0]).toBe(8)
  }
})
