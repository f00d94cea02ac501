/** @module Claims as an attacker would send them: JSON of every shape, as text. */
import fc from 'fast-check'

const keys = [
  'tenant',
  'level',
  'vip',
  'words',
  'org',
  'id',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  '0',
  '$ne',
  '$gt',
  '$in',
  '$or',
  '$user',
  '$literal',
  '$col',
  'sql',
] as const

/** As JSON text: numbers that a double cannot represent, escapes that are not characters. */
const spellings = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '2',
  '5e-324',
  '1e400',
  '-1e400',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '1.0',
  '2.0000000000000001',
  '0.1',
  '"a"',
  '"A"',
  '" a"',
  '"a "',
  '"a\\u0000"',
  '"\\ud800"',
  '"\\udc00a"',
  '"\\u0430"',
  '"1"',
  '" 1 "',
  '"+1"',
  '"1.0"',
  '"0x1"',
  '"1_0"',
  '"1e0"',
  '"NaN"',
  '"Infinity"',
  '"true"',
  '"t"',
  '"TRUE"',
  '"on"',
  '"yes"',
  '"{a,b}"',
  '"[\\"a\\"]"',
  '"$user.tenant"',
  '"%"',
  '"_"',
  '"\' or 1=1 --"',
  '"\'; drop table customers; --"',
  '"\\\\\' or true"',
  '"null"',
  '""',
  '[]',
  '{}',
  '[null]',
  '["a","b"]',
  '["a",null]',
  '["a",{"$ne":"x"}]',
  '[["a"]]',
  '[1,"2",true]',
  '{"$ne":"x"}',
  '{"$gt":""}',
  '{"$in":["a","b"]}',
  '{"$or":[{}]}',
  '{"$literal":"a"}',
  '{"$col":"tenant"}',
  '{"toString":"a"}',
  '{"length":1,"0":"a"}',
  '{"__proto__":{"id":"a"}}',
  '{"id":"a"}',
  '{"id":{"id":"a"}}',
  '{"constructor":{"prototype":{"id":"a"}}}',
] as const

const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: fc.constantFrom(...spellings) },
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.double().map((number) => (Number.isFinite(number) ? JSON.stringify(number) : '1e999')),
    fc.maxSafeInteger().map(String),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    object(tie('value')),
    fc.integer({ min: 1, max: 200 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  ),
})).value

/** Keys may be duplicates. */
function object(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const entry = fc
    .tuple(fc.constantFrom(...keys), values)
    .map(([key, spelled]) => `${JSON.stringify(key)}:${spelled}`)
  return fc.array(entry, { maxLength: 4 }).map((entries) => `{${entries.join(',')}}`)
}

/** The JSON text of an object; the claims that permissions read are more likely than others. */
export const hostileClaims: fc.Arbitrary<string> = fc
  .tuple(
    fc.subarray(['tenant', 'level', 'vip', 'words', 'org'], { minLength: 1 }),
    fc.array(value, { minLength: 5, maxLength: 5 }),
    object(value),
  )
  .map(([names, values, rest]) => {
    const own = names.map((name, i) => `${JSON.stringify(name)}:${values[i]}`).join(',')
    return rest === '{}' ? `{${own}}` : `${rest.slice(0, -1)},${own}}`
  })
