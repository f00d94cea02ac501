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
  [`select "a${slash}'b", $$${slash}'$$, $q$ '${slash}' $q$`, undefined],
  [`select 1 /* '${slash} /* ' */ '${slash}n */ -- '${slash}n\n, 2`, undefined],
  [`select B'01', date'2024-01-01', n'${slash}t'`, `select B'01', date'2024-01-01', n'\t' `],
  [`select fooE'${slash}n'`, `select fooE'\n' `],
  [`select 'ä😀${slash}t'`, `select 'ä😀\t' `],
  [
    `select 'a${slash}${slash}'\n'b${slash}${slash}', 'c'`,
    `select 'a${slash}' \n'b${slash}' , 'c'`,
  ],
  [`select E'a' -- it's\n'${slash}${slash}', ' or 1=1 --'`, undefined],
  [
    `select '${slash}101'\n'${slash}${slash}', ' or 1=1 --'`,
    `select E'${slash}101'\n'${slash}${slash}', ' or 1=1 --'`,
  ],
  [`select 'a'\n'${slash}101'`, `select E'a'\n'${slash}101'`],
  [`select N'${slash}101${slash}' or 1=1 --'`, `select nchar E'${slash}101${slash}' or 1=1 --'`],
  [`select x'01'\n'02', '${slash}t'`, `select x'01'\n'02', '\t' `],
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

test.each([
  `select ${slash}'`,
  `select '${slash}' or 1=1 --`,
  `select 'a'' ${slash}' or 1=1 --`,
  `select 'a'\n'${slash}' or 1=1 --`,
  `select E'${slash}' or 1=1 --`,
  `select '${slash}n', "a""`,
])('%s has a string without an end', (sql) => {
  expect(() => standardStrings(sql, true)).toThrow(
    expect.objectContaining({ sqlState: '42601' }) as GatewayError,
  )
})

test('a megabyte of beginnings without an end is read at once', () => {
  for (const part of ['$a$b', '/*', "'' ", "'a'\n", `'${slash}t'`, `'${slash}t'\n`]) {
    const sql = `select '${slash}n', ${part.repeat(300_000)}`
    expect(standardStrings(sql, true).escaped[0]).toBe(8)
  }
  for (const part of ["'", '"', "E'", `${slash}'`, "'\n", '--\n']) {
    const sql = `select '${slash}n', ' ${part.repeat(300_000)}`
    expect(() => standardStrings(sql, true)).toThrow('unterminated quoted')
  }
})
