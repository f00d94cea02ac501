import { describe, expect, test } from 'vitest'
import { checkedValues, valuesOfChecks, valuesOfConstraint } from './checked-values.ts'

const listed = (values: ReadonlyMap<string, unknown>) => Object.fromEntries(values)

describe('as PostgreSQL describes a constraint', () => {
  test.each([
    [`CHECK ((status = ANY (ARRAY['new'::text, 'paid'::text])))`, { status: ['new', 'paid'] }],
    [
      `CHECK (((status)::text = ANY ((ARRAY['new'::character varying, 'paid'::character varying])::text[])))`,
      { status: ['new', 'paid'] },
    ],
    [
      `CHECK (((status)::text = ANY (ARRAY[('new'::character varying)::text, ('it''s'::character varying(9))::text])))`,
      { status: ['new', "it's"] },
    ],
    [`CHECK ((n = ANY (ARRAY['-1'::integer, 0, 1])))`, { n: ['-1', 0, 1] }],
    [`CHECK (("Odd ""name""" = 'a'::text))`, { 'Odd "name"': ['a'] }],
    [`CHECK ((VALUE = ANY (ARRAY['G'::text, 'PG'::text])))`, { VALUE: ['G', 'PG'] }],
    [`CHECK ((a = ANY (ARRAY[E'back\\\\slash'::text])))`, { a: ['back\\slash'] }],
    [`CHECK (((a IS NULL) OR (a = ANY (ARRAY['x'::bpchar, 'y'::bpchar]))))`, { a: ['x', 'y'] }],
    [`CHECK (((a = 'x'::text) OR (a = 'y'::text)))`, { a: ['x', 'y'] }],
    [
      `CHECK (((a = ANY (ARRAY['x'::text])) AND (length(b) > 1) AND (b = 'z'::text))) NOT VALID`,
      { a: ['x'], b: ['z'] },
    ],
  ])('%s', (definition, expected) => {
    expect(listed(valuesOfConstraint(definition))).toEqual(expected)
  })

  test.each([
    `CHECK ((a <> ALL (ARRAY['x'::text])))`,
    `CHECK ((NOT (a = 'x'::text)))`,
    `CHECK ((lower(a) = ANY (ARRAY['x'::text])))`,
    `CHECK (((a = 'x'::text) OR (b = 'y'::text)))`,
    `CHECK (((a = 'x'::text) OR (n > 3)))`,
    `CHECK ((a = ANY (ARRAY['x'::text, NULL::text])))`,
    `CHECK (((a)::integer = ANY (ARRAY[1, 2])))`,
    `CHECK ((a = b))`,
    `CHECK (CASE WHEN (n > 1) THEN (a = 'x'::text) ELSE true END)`,
    `CHECK (((n >= 1) AND (n <= 3)))`,
    `CHECK ((tags <@ ARRAY['x'::text]))`,
  ])('nothing is listed by %s', (definition) => {
    expect(listed(valuesOfConstraint(definition))).toEqual({})
  })
})

describe('of MariaDB and MySQL', () => {
  test.each([
    ["`status` in ('new','pa''id')", { status: ['new', "pa'id"] }],
    ["`status` in ('a\\'b','\\\\')", { status: ["a'b", '\\'] }],
    ['`n` in (1,2,-3)', { n: [1, 2, -3] }],
    ["(`s` in (_utf8mb4'a',_utf8mb4'b'))", { s: ['a', 'b'] }],
    ["`s` is null or `s` = 'a' or `s` = 'b'", { s: ['a', 'b'] }],
    ["`s` in ('a') and `t` in ('b') or `s` in ('c') and `u` = 1", { s: ['a', 'c'] }],
    ["`n` between 1 and `s` in ('a')", {}],
    ["`s` in ('a') xor `t` in ('b')", {}],
    ["`s` not in ('a')", {}],
    ['json_valid(`s`)', {}],
  ])('%s', (clause, expected) => {
    expect(listed(checkedValues(clause, 'mysql'))).toEqual(expected)
  })
})

describe('of a CREATE TABLE statement of SQLite', () => {
  test('checks of columns and of the table', () => {
    const sql = `create table "t" ( -- check (a in ('comment'))
      a text check (a in ('x', 'y')) default 'check (a in (''z''))',
      /* check (b in (1)) */
      [b c] integer not null check([b c] in (1, 2, 3)),
      \`d\` text, "check" text,
      constraint one check ((d = 'p' or d is null) and length("check") > 1)
    )`
    expect(listed(valuesOfChecks(sql, 'sqlite'))).toEqual({
      a: ['x', 'y'],
      'b c': [1, 2, 3],
      d: ['p'],
    })
  })

  test('a long list', () => {
    const values = Array.from({ length: 30_000 }, (_, index) => `v${index}`)
    const sql = `create table t (a text check (a in (${values.map((value) => `'${value}'`).join()})))`
    expect(valuesOfChecks(sql, 'sqlite').get('a')).toEqual(values)
  })
})
