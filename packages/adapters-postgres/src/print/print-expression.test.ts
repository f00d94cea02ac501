import { oids } from '@engine/core/catalog'
import type { Expression } from '@engine/core/tree'
import { describe, expect, test } from 'vitest'
import {
  aggregate,
  and,
  bool,
  call,
  callerField,
  cast,
  column,
  constant,
  customers,
  functionOf,
  int4,
  operation,
  operatorOf,
  orders,
  ownOids,
  param,
  printed,
  printedExpression,
  select,
  sources,
  statement,
  tableOf,
  text,
  typeOf,
  whole,
} from '../../test/support/trees.ts'
import { compileStatement } from '../compile.ts'

const id = column(1, 0)
const note = column(1, 2, text)

describe('values', () => {
  test('never stand in the text', () => {
    const query = select([
      constant("'; drop table orders; --", text),
      param(0),
      callerField('tenant'),
      {
        kind: 'requestTime',
        type: typeOf(oids.timestamptz),
        offsetMs: -1_000,
        calendar: undefined,
      },
    ])

    expect(printed(query)).toBe(
      'select $1::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.int4, $4::pg_catalog.timestamptz',
    )
    expect(sources(query)).toEqual([
      { from: 'constant', value: "'; drop table orders; --", type: text },
      { from: 'request', index: 0, type: int4 },
      { from: 'caller', slot: { path: ['tenant'], type: int4 } },
      {
        from: 'requestTime',
        type: typeOf(oids.timestamptz),
        offsetMs: -1_000,
        calendar: undefined,
      },
    ])
  })

  test.each([
    [constant('true', bool), 'true'],
    [constant('false', bool), 'false'],
    [constant(null), 'null::pg_catalog.int4'],
    [constant(null, typeOf(oids.unknown)), 'null::pg_catalog.text'],
    [constant('x', typeOf(oids.unknown)), '$1::pg_catalog.text'],
    [constant('happy', typeOf(ownOids.mood)), '$1::"public"."mood"'],
    [constant(['sad'], typeOf(ownOids.moods)), '$1::"public"."_mood"'],
    [constant(['1'], typeOf(oids.int4Array)), '$1::pg_catalog._int4'],
    [constant('abc', typeOf(ownOids.short)), '$1::"public"."Short"'],
    [constant('a', typeOf(oids.char)), '$1::pg_catalog.char'],
  ] as const)('constant %#: %s', (expression, sql) => {
    expect(printedExpression(expression)).toBe(sql)
  })

  test('used twice are one parameter', () => {
    const same = operation('+', param(0), operation('*', param(0), constant('2')))

    expect(printedExpression(same)).toBe(
      '($1::pg_catalog.int4 + ($1::pg_catalog.int4 * $2::pg_catalog.int4))',
    )
  })
})

describe('casts', () => {
  test.each([
    [cast(note, typeOf(oids.varchar, 24), 'binary'), 't1."note"::pg_catalog.varchar(20)'],
    [cast(note, typeOf(oids.bpchar, 9), 'length'), 't1."note"::pg_catalog.bpchar(5)'],
    [cast(id, typeOf(oids.numeric, 655_366), 'length'), 't1."id"::pg_catalog.numeric(10, 2)'],
    [cast(id, typeOf(oids.numeric, 133_122), 'length'), 't1."id"::pg_catalog.numeric(2, -2)'],
    [cast(note, typeOf(oids.timestamp, 3), 'inout'), 't1."note"::pg_catalog.timestamp(3)'],
    [
      cast(note, typeOf(oids.interval, 0x7fff0002), 'inout'),
      't1."note"::pg_catalog.interval(32767, 2)',
    ],
    [cast(note, typeOf(oids.interval, 0x0006ffff), 'inout'), 't1."note"::pg_catalog.interval(6)'],
    [cast(note, typeOf(oids.varcharArray, 24), 'array'), 't1."note"::pg_catalog._varchar(20)'],
    [cast(note, typeOf(ownOids.mood), 'inout'), 't1."note"::"public"."mood"'],
  ] as const)('%#: %s', (expression, sql) => {
    expect(printedExpression(expression)).toBe(sql)
  })

  test('of an assignment to a length are left to the column, which raises where a cast would cut', () => {
    const length = cast(note, typeOf(oids.varchar, 24), 'length', false)
    const domain = cast(note, typeOf(ownOids.short), 'binary', false)

    expect(printedExpression(length)).toBe('t1."note"')
    expect(printedExpression(domain)).toBe('t1."note"::pg_catalog.varchar')
  })
})

describe('operators', () => {
  test('are in parentheses, whatever their precedence', () => {
    const sum = operation('+', id, constant('1'))
    const product = operation('*', sum, operation('-', undefined, id))

    expect(printedExpression(product)).toBe('((t1."id" + $1::pg_catalog.int4) * (- t1."id"))')
  })

  test('of an extension have their schema', () => {
    const field = cast(note, typeOf(ownOids.citext), 'inout')

    expect(printedExpression(operation('=', field, field))).toBe(
      '(t1."note"::"public"."citext" operator("public".=) t1."note"::"public"."citext")',
    )
  })

  test.each([
    [{ negated: false }, '(t1."id" in ($1::pg_catalog.int4, $2::pg_catalog.int4))'],
    [{ negated: true }, '(t1."id" not in ($1::pg_catalog.int4, $2::pg_catalog.int4))'],
  ])('IN %o', ({ negated }, sql) => {
    const test: Expression = {
      kind: 'inList',
      operator: operatorOf('=', oids.int4),
      operand: id,
      items: [constant('1'), constant('2')],
      negated,
      type: bool,
    }

    expect(printedExpression(test)).toBe(sql)
  })

  describe('IN, whose operand the server puts once for each item', () => {
    const list = (operand: Expression, items: readonly Expression[]): Expression => ({
      kind: 'inList',
      operator: operatorOf('=', operand.type.oid),
      operand,
      items,
      negated: false,
      type: bool,
    })
    const chosen = (condition: Expression, result: Expression): Expression => ({
      kind: 'case',
      whens: [{ condition, result }],
      otherwise: undefined,
      type: result.type,
    })
    const nested = (levels: number, value: Expression): Expression =>
      levels === 0
        ? list(value, [value, value, value])
        : list(chosen(nested(levels - 1, value), value), [value, value, value])

    test('stays IN where that is not much: items after an equal one are not computed', () => {
      const long = operation('+', operation('+', id, constant('1')), constant('2'))
      expect(printedExpression(list(long, [id, constant('2')]))).toBe(
        '(((t1."id" + $1::pg_catalog.int4) + $2::pg_catalog.int4) in (t1."id", $2::pg_catalog.int4))',
      )
    })

    test('is ANY of an array before copies of copies grow', () => {
      expect(printedExpression(nested(3, id))).not.toContain('any (array')
      const deep = printedExpression(nested(20, id))
      expect(deep).toContain('any (array[t1."id", t1."id", t1."id"])')
      expect(deep.split(' in (').length - 1).toBeLessThan(10)
    })

    test('is refused where its items have no array type', () => {
      const ids = column(1, 0, typeOf(oids.int4Array))
      expect(printedExpression(nested(3, ids))).toContain(' in (')
      expect(() => printedExpression(nested(20, ids))).toThrow(/operand of IN is too large/)
    })

    test('is copied once for all constants', () => {
      const constants = Array.from({ length: 30_000 }, (_, i) => constant(String(i)))
      expect(printedExpression(list(operation('+', id, id), constants))).not.toContain('any (array')
    })
  })

  test('IN with one item is a comparison: a subquery in parentheses would be a set', () => {
    const only = select([constant('1')])
    const test: Expression = {
      kind: 'inList',
      operator: operatorOf('=', oids.int4),
      operand: id,
      items: [{ kind: 'subquery', query: only, type: int4 }],
      negated: true,
      type: bool,
    }

    expect(printedExpression(test)).toBe('(not (t1."id" = (select $1::pg_catalog.int4)))')
  })

  test('IN of an extension type finds its operator', () => {
    const citext = (value: string) => constant(value, typeOf(ownOids.citext))
    const test: Expression = {
      kind: 'inList',
      operator: operatorOf('=', ownOids.citext),
      operand: citext('a'),
      items: [citext('b'), citext('c')],
      negated: false,
      type: bool,
    }

    expect(printedExpression(test)).toBe(
      '($1::"public"."citext" operator("public".=) any (array[$2::"public"."citext", $3::"public"."citext"]))',
    )
  })

  test('ANY over the array that a subquery gives does not look at the rows of the subquery', () => {
    const arrays = select([constant(['1'], typeOf(oids.int4Array))])
    const test: Expression = {
      kind: 'quantifiedArray',
      operator: operatorOf('=', oids.int4),
      quantifier: 'any',
      operand: id,
      array: { kind: 'subquery', query: arrays, type: typeOf(oids.int4Array) },
      type: bool,
    }

    expect(printedExpression(test)).toBe(
      '(t1."id" = any ((select $1::pg_catalog._int4)::pg_catalog._int4))',
    )
  })

  test.each([
    [and(constant('true', bool), constant('false', bool)), '(true and false)'],
    [{ kind: 'not', operand: constant('true', bool), type: bool }, '(not true)'],
    [{ kind: 'nullTest', operand: id, negated: true, type: bool }, '(t1."id" is not null)'],
    [
      {
        kind: 'booleanTest',
        operand: constant(null, bool),
        test: 'unknown',
        negated: true,
        type: bool,
      },
      '(null::pg_catalog.bool is not unknown)',
    ],
    [
      {
        kind: 'distinctTest',
        operator: operatorOf('=', oids.int4),
        left: id,
        right: id,
        negated: true,
        type: bool,
      },
      '(t1."id" is not distinct from t1."id")',
    ],
    [
      {
        kind: 'case',
        whens: [{ condition: constant('true', bool), result: id }],
        otherwise: constant(null),
        type: int4,
      },
      '(case when true then t1."id" else null::pg_catalog.int4 end)',
    ],
    [
      { kind: 'coalesce', args: [id, constant('0')], type: int4 },
      'coalesce(t1."id", $1::pg_catalog.int4)',
    ],
    [
      {
        kind: 'nullIf',
        operator: operatorOf('=', oids.int4),
        left: id,
        right: constant('0'),
        type: int4,
      },
      'nullif(t1."id", $1::pg_catalog.int4)',
    ],
    [
      { kind: 'extremum', function: 'greatest', args: [id, id], type: int4 },
      'greatest(t1."id", t1."id")',
    ],
    [{ kind: 'array', elements: [], type: typeOf(oids.int4Array) }, 'array[]::pg_catalog._int4'],
    [{ kind: 'array', elements: [id], type: typeOf(oids.int4Array) }, 'array[t1."id"]'],
    [
      {
        kind: 'subscript',
        operand: constant(['1'], typeOf(oids.int4Array)),
        index: id,
        type: int4,
      },
      '($1::pg_catalog._int4)[t1."id"]',
    ],
    [
      {
        kind: 'arraySection',
        operand: constant(['1', '2'], typeOf(oids.int4Array)),
        steps: [
          { kind: 'slice', lower: id, upper: undefined },
          { kind: 'slice', lower: undefined, upper: constant('2') },
          { kind: 'index', index: id },
        ],
        type: typeOf(oids.int4Array),
      },
      '($1::pg_catalog._int4)[t1."id" : ][ : $2::pg_catalog.int4][t1."id"]',
    ],
    [{ kind: 'row', fields: [id, note], type: typeOf(oids.record) }, 'row(t1."id", t1."note")'],
    [{ kind: 'row', fields: [], type: typeOf(oids.record) }, 'row()'],
    [
      {
        kind: 'rowComparison',
        comparison: '<',
        operators: [operatorOf('<', oids.int4), operatorOf('<', oids.int4)],
        left: [id, constant('1')],
        right: [id, id],
        type: bool,
      },
      '(row(t1."id", $1::pg_catalog.int4) < row(t1."id", t1."id"))',
    ],
    [{ kind: 'collate', operand: note, type: text }, '(t1."note" collate pg_catalog."C")'],
    [
      { kind: 'exists', query: select([], [whole(customers, 2)]), type: bool },
      'exists (select from "public"."customers" as t2)',
    ],
    [
      { kind: 'arraySubquery', query: select([id]), type: typeOf(oids.int4Array) },
      'array(select t1."id")',
    ],
    [
      {
        kind: 'quantifiedSubquery',
        comparison: '<=',
        operators: [operatorOf('<=', oids.int4)],
        quantifier: 'all',
        operands: [id],
        query: select([id]),
        type: bool,
      },
      '(t1."id" <= all (select t1."id"))',
    ],
    [
      {
        kind: 'quantifiedSubquery',
        comparison: '=',
        operators: [operatorOf('=', oids.record)],
        quantifier: 'any',
        operands: [{ kind: 'row', fields: [id, note], type: typeOf(oids.record) }],
        query: select([id]),
        type: bool,
      },
      '(row(row(t1."id", t1."note")) = any (select t1."id"))',
    ],
    [
      {
        kind: 'quantifiedSubquery',
        comparison: '=',
        operators: [operatorOf('=', oids.int4), operatorOf('=', oids.text)],
        quantifier: 'any',
        operands: [id, note],
        query: select([id, note]),
        type: bool,
      },
      '(row(t1."id", t1."note") = any (select t1."id", t1."note"))',
    ],
    [
      {
        kind: 'quantifiedSubquery',
        comparison: '>',
        operators: [operatorOf('>', oids.int4), operatorOf('>', oids.text)],
        quantifier: 'one',
        operands: [id, note],
        query: select([id, note]),
        type: bool,
      },
      '(row(t1."id", t1."note") > (select t1."id", t1."note"))',
    ],
  ] satisfies readonly (readonly [Expression, string])[])('%#: %s', (expression, sql) => {
    expect(printedExpression(expression)).toBe(sql)
  })
})

describe('calls', () => {
  test('name the schema of the function', () => {
    expect(printedExpression(call('lower', note))).toBe('pg_catalog.lower(t1."note")')
    expect(printedExpression(call('left', note, id))).toBe('pg_catalog.left(t1."note", t1."id")')
  })

  test('EXTRACT is a function since PostgreSQL 14', () => {
    const field = constant('year', text)
    const query = select([call('extract', field, constant('2024-01-15', typeOf(oids.date)))])
    const textFor = (version: number) => compileStatement(statement(query), version).steps[0]?.sql

    expect(textFor(140_000)).toBe(
      'select pg_catalog.extract($1::pg_catalog.text, $2::pg_catalog.date)',
    )
    expect(textFor(130_023)).toBe(
      'select pg_catalog.date_part($1::pg_catalog.text, $2::pg_catalog.date)::pg_catalog.numeric',
    )
  })

  test('aggregates have all their clauses', () => {
    const total = column(1, 3, typeOf(oids.numeric))
    const sum = aggregate('sum', total) as Extract<Expression, { kind: 'aggregate' }>

    expect(printedExpression(aggregate('count'))).toBe('pg_catalog.count(*)')
    expect(
      printedExpression({
        ...sum,
        distinct: true,
        orderBy: [{ expression: total, descending: true, nullsFirst: true }],
        filter: constant('true', bool),
      }),
    ).toBe('pg_catalog.sum(distinct t1."total" order by t1."total" desc) filter (where true)')
  })

  test('ordered-set aggregates sort within the group', () => {
    const percentile = functionOf('percentile_cont', [oids.float8, oids.float8])
    const fraction = constant('0.5', typeOf(oids.float8))
    const key = cast(id, typeOf(oids.float8), 'function')

    expect(
      printedExpression({
        kind: 'aggregate',
        function: percentile,
        args: [fraction],
        distinct: false,
        orderBy: [{ expression: key, descending: false, nullsFirst: false }],
        filter: undefined,
        withinGroup: true,
        type: typeOf(oids.float8),
      }),
    ).toBe(
      'pg_catalog.percentile_cont($1::pg_catalog.float8) within group (order by t1."id"::pg_catalog.float8)',
    )
  })

  test('window functions have their frame', () => {
    expect(
      printedExpression({
        kind: 'window',
        function: functionOf('row_number', []),
        args: [],
        filter: undefined,
        partitionBy: [note],
        orderBy: [{ expression: id, descending: false, nullsFirst: true }],
        frame: {
          mode: 'rows',
          start: { kind: 'preceding', offset: constant('3', typeOf(oids.int8)) },
          end: { kind: 'currentRow' },
          exclude: 'ties',
        },
        type: typeOf(oids.int8),
      }),
    ).toBe(
      'pg_catalog.row_number() over (partition by t1."note" order by t1."id" nulls first rows between $1::pg_catalog.int8 preceding and current row exclude ties)',
    )
  })

  test('an aggregate over a window counts rows with a star', () => {
    expect(
      printedExpression({
        kind: 'window',
        function: functionOf('count', []),
        args: [],
        filter: undefined,
        partitionBy: [],
        orderBy: [],
        frame: undefined,
        type: typeOf(oids.int8),
      }),
    ).toBe('pg_catalog.count(*) over ()')
  })
})

describe('whole rows', () => {
  const row: Expression = {
    kind: 'wholeRow',
    relation: 1,
    fields: [
      { name: 'id', value: id },
      { name: 'say "hi"', value: note },
    ],
    type: typeOf(oids.record),
  }
  const json =
    '(case when (t1.* is distinct from null) then ($1::pg_catalog.text || coalesce(pg_catalog.to_json(t1."id")::pg_catalog.text, $2::pg_catalog.text) || $3::pg_catalog.text || coalesce(pg_catalog.to_json(t1."note")::pg_catalog.text, $2::pg_catalog.text) || $4::pg_catalog.text)::pg_catalog.json end)'

  test('are JSON with bound keys', () => {
    const query = select([call('to_json', row)], [whole(orders, 1)])

    expect(printedExpression(call('to_json', row))).toBe(json)
    expect(sources(query).map((source) => 'value' in source && source.value)).toEqual([
      '{"id":',
      'null',
      ',"say \\"hi\\"":',
      '}',
    ])
  })

  /** `[`, the objects after line feeds, `]`. */
  const arrayOf = (text: string, order = '') =>
    `('[' || pg_catalog.ltrim(pg_catalog.string_agg(coalesce(pg_catalog.chr(10) || ' ' || ${text}, 'null'), ', '${order}), pg_catalog.chr(10) || ' ') || ']')::pg_catalog.json`

  test('inside of functions that make JSON of them', () => {
    expect(printedExpression(aggregate('json_agg', row))).toBe(arrayOf(`${json}::pg_catalog.text`))
    expect(printedExpression(call('to_jsonb', row))).toBe(`pg_catalog.to_jsonb(${json})`)
  })

  test('are counted when they are there', () => {
    expect(printedExpression(aggregate('count', row))).toBe(
      'pg_catalog.count(case when (t1.* is distinct from null) then 1 end)',
    )
  })

  const record = '(case when (t1.* is distinct from null) then row(t1."id", t1."note") end)'

  test('are records everywhere else, NULL where an outer join made them up', () => {
    expect(printedExpression(row)).toBe(record)
    expect(printedExpression(call('concat', row))).toBe(`pg_catalog.concat(${record})`)
  })

  test('have line feeds between their fields where row_to_json is asked for them', () => {
    const query = select([call('row_to_json', row, constant('true', bool))], [whole(orders, 1)])
    expect(sources(query)).toContainEqual(
      expect.objectContaining({ value: expect.stringMatching(/^,\n "/) }),
    )
    expect(() => printedExpression(call('row_to_json', row, param(0, bool)))).toThrow(
      expect.objectContaining({ problem: 'unsupported' }),
    )
  })

  test('are refused where JSON is not the same', () => {
    const named = { ...aggregate('json_object_agg', id, row), distinct: true } as Expression
    expect(() => printedExpression(named)).toThrow(
      expect.objectContaining({ problem: 'unsupported' }),
    )
  })

  test('are compared as rows, and named afterwards', () => {
    const distinct = (name: string) =>
      printedExpression({ ...aggregate(name, row), distinct: true } as Expression)

    expect(distinct('count')).toBe(`pg_catalog.count(distinct ${record})`)
    const object = `(case when pg_catalog.json_typeof(e.c1) = 'object' then ($1::pg_catalog.text || coalesce((e.c1 -> 'f1')::pg_catalog.text, $2::pg_catalog.text) || $3::pg_catalog.text || coalesce((e.c1 -> 'f2')::pg_catalog.text, $2::pg_catalog.text) || $4::pg_catalog.text)::pg_catalog.json end)`
    expect(distinct('json_agg')).toBe(
      `(select ${arrayOf(`${object}::pg_catalog.text`, ' order by e.c2')} from pg_catalog.json_array_elements(pg_catalog.json_agg(distinct ${record})) with ordinality as e(c1, c2))`,
    )
    expect(distinct('jsonb_agg')).toMatch(/^\(select pg_catalog\.jsonb_agg\(/)
  })
})

test('names keep their quotes and never end early', () => {
  const odd = tableOf('a"b', { 'c";--': int4 })

  expect(printed(select([column(1, 0)], [whole(odd, 1)]))).toBe(
    'select t1."c"";--" from "public"."a""b" as t1',
  )
})
