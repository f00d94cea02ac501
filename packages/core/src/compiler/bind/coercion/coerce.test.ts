import { expect, test } from 'vitest'
import { GatewayError } from '../../../foundation/errors.ts'
import { oids } from '../../sql-types/oids.ts'
import {
  bindFailure,
  bindText,
  bindTypes,
  columnForTest,
  environmentForTest,
  printForTest,
} from '../test-support/bind-for-test.ts'
import { coerceTo } from './coerce.ts'

const varchar3 = { oid: oids.varchar, typmod: 7 }

test('an explicit cast to varchar(n) is a cast and one that cuts', () => {
  expect(bindText('t::varchar(3)')).toBe(
    '(cast character_varying(3)/length (cast character_varying/binary t))',
  )
})

test('a value that is stored is cut by the database or not at all', () => {
  const environment = environmentForTest()
  const output = columnForTest('t')
  const stored = coerceTo(output, varchar3, 'assignment', environment, 'column "v"')
  expect(printForTest(stored)).toBe(
    '(implicit character_varying(3)/length (implicit character_varying/binary t))',
  )
})

test('a value of the right type and length stays as it is', () => {
  const environment = environmentForTest()
  const output = columnForTest('v')
  expect(coerceTo(output, output.type, 'assignment', environment)).toBe(output)
})

test('a stored literal that is too long is a validation error', () => {
  const environment = environmentForTest()
  const literal = {
    kind: 'constant',
    value: 'abcd',
    type: { oid: oids.unknown, typmod: -1 },
    position: 9,
  } as const
  const store = () => coerceTo(literal, varchar3, 'assignment', environment, 'column "v"')
  expect(store).toThrow(
    expect.objectContaining({ problem: 'invalidValue', sqlState: '22001', position: 9 }),
  )
})

test('a stored value of a foreign type is refused as PostgreSQL words it', () => {
  const environment = environmentForTest()
  const output = columnForTest('t')
  const int4 = { oid: oids.int4, typmod: -1 }
  const store = () => coerceTo(output, int4, 'assignment', environment, 'column "i"')
  expect(store).toThrow('column "i" is of type integer but expression is of type text')
  const limit = () => coerceTo(output, int4, 'assignment', environment, 'argument of LIMIT')
  expect(limit).toThrow('argument of LIMIT must be type integer, not type text')
  expect(limit).toThrow(GatewayError)
})

test.for([
  ['l + 1', "(+(int8,int4) l '1':integer)"],
  ['n + 1', `(+(numeric,numeric) n '1':numeric)`],
  ['f + 1.5', `(+(float8,float8) f '1.5':double_precision)`],
  ['i + l', '(+(int4,int8) i l)'],
  ['i + n', '(+(numeric,numeric) (implicit numeric/function i) n)'],
  ['lower(v)', '(lower(text) (implicit text/binary v))'],
  ['1::bigint', `'1':bigint`],
  ['1::numeric(4,1)', `'1.0':numeric(4,1)`],
  ['n2::numeric(5,1)', '(cast numeric(5,1)/length n2)'],
  ['1000::numeric(2,0)', `(cast numeric(2,0)/length '1000':numeric)`],
  ['3000000000::int', `(cast integer/function '3000000000':bigint)`],
  ['ia::bigint[]', '(cast bigint[]/array ia)'],
  ['i::text', '(cast text/inout i)'],
  ['t::short_name', '(cast short_name/binary t)'],
  ['m::text', '(cast text/inout m)'],
])('%s shows every conversion', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test.for([
  ['d::int', '42846: cannot cast type date to integer (position 8)'],
  ['i::nosuch', '42704: type "nosuch" does not exist (position 11)'],
  ['i::pg_class', '42704'],
  ['i::regclass', '0A000'],
  ['t::main.mood', 'no error'],
  ['t::other.mood', '42704: type "other.mood" does not exist'],
  ['t::public.mood', 'no error'],
  ['t::elsewhere.mood', '42704'],
  ['i::anyelement', '42704'],
  ['i::oid', '0A000: the type oid of the system catalogs is not supported'],
  ["array['1'::xid]", '0A000: the type xid of the system catalogs is not supported'],
  ['t::regtype[]', '0A000: the type regtype of the system catalogs is not supported'],
  ['i::record', '42704'],
  ['i::int(3)', '42601'],
])('the cast %s gives %s', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})

test('a parameter takes the type of its cast, without the length', () => {
  expect(bindTypes('$1::varchar(3)')).toBe('character varying(3), character varying')
  expect(bindText('$1::varchar(3)')).toBe('(cast character_varying(3)/length $1:character_varying)')
})
