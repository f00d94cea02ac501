/** @module Texts to read as values: valid ones, invalid ones, limits, and many random ones. */

/** A random generator with a seed, so that each run reads the same texts. */
export interface Random {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  digits(count: number): string
}

export function createRandom(seed: number): Random {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >> 8) % limit
  }
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  }
}

const random = createRandom(42)
const many = (count: number, make: () => string): readonly string[] =>
  Array.from({ length: count }, make)

export const integers: readonly string[] = [
  ...['0', '1', '-1', '+5', ' 5 ', '\t5\n', '005', '-0', '32767', '32768', '-32768', '-32769'],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807'],
  ...['9223372036854775808', '-9223372036854775808', '-9223372036854775809', '', '  ', 'abc'],
  ...['1.0', '1e3', '0x10', '1_000', '5 5', '--5', '+ 5', '٣', '99999999999999999999999', '1a'],
  ...['000000000000000000000000000001', '4294967295', '4294967296'],
]

export const decimals: readonly string[] = [
  ...['0', '1.50', '-1.50', '.5', '5.', '.', '1e5', '1E-5', '1e+3', '-.5e1', '+1.0', '00012.3400'],
  ...['-0', '-0.00', 'NaN', 'nan', 'Infinity', '-inf', '+inf', 'inf', '1e', '1e+', 'e5', '1.2.3'],
  ...['1,5', '1 e5', '  1.5  ', '0e10', '0.000e-3', '1e400', '1e-400', '9.995', '9.994999'],
  ...['-9.995', '99999.995', '99.995', '0x1F', '1_0', '1.0000e2', '12345e-3', '0.5', '-0.5', '499'],
  ...['450', '-450', '99950', '0.000994', '0.0000095', '123456789012345678901234567890.1234567890'],
  ...many(400, () => {
    const whole = random.digits(random.below(6))
    const fraction = random.pick(['', `.${random.digits(random.below(6))}`])
    const exponent = random.pick(['', `e${random.pick(['', '-', '+'])}${random.below(12)}`])
    return random.pick(['', '-', '+']) + whole + fraction + exponent
  }),
]

export const floats: readonly string[] = [
  ...decimals.filter((text) => !text.includes('0x')),
  ...['1e308', '1.7976931348623157e308', '1.7976931348623159e308', '1e309', '-1e309', '4.9e-324'],
  ...['2e-324', '5e-324', '1e23', '9007199254740993', '9007199254740992', '1e15', '1e14'],
  ...['123456789012345678', '1.17549435e-38', '1e-45', '7e-46', '3.4028235e38', '3.4028236e38'],
  ...['3.40282356e38', '3.5e38', '16777217', '1.00000005960464477539', '0.1', '0.2', '33554435'],
  ...['1.000000059604644775390625', '1.0000000596046447753906251', '8388608.5', '1e16', '1e22'],
  ...['1e24', '4503599627370496.5', '1.5e300', '9.999999e-5', '0.00001', '0.0001', '0.001'],
  ...Array.from({ length: 254 }, (_, i) => String(2 ** (i - 126))),
  ...Array.from({ length: 600 }, (_, i) => String(2 ** (i * 3 - 900))),
  ...many(600, () => `${1 + random.below(9)}${random.digits(4)}e${14 + random.below(26)}`),
  ...many(1500, () => {
    const digits = `${random.digits(1 + random.below(17))}.${random.digits(random.below(17))}`
    return `${digits}e${random.pick(['', '-'])}${random.below(40)}`
  }),
  ...many(1000, () => String(randomDouble())),
  ...many(500, () => String(Math.fround(randomDouble()))),
]

function randomDouble(): number {
  const view = new DataView(new ArrayBuffer(8))
  for (let i = 0; i < 8; i++) view.setUint8(i, random.below(256))
  return view.getFloat64(0)
}

export const booleans: readonly string[] = [
  ...['t', 'true', 'TRUE', 'tr', 'f', 'false', 'y', 'yes', 'n', 'no', 'on', 'off', 'of', 'o', '1'],
  ...['0', ' true ', '2', '', 'truee', 'null'],
]

export const dates: readonly string[] = [
  ...['2024-01-15', '20240115', '2024-1-5', '2024/1/5', '0001-01-01', '001-01-01', '0000-01-01'],
  ...['2024-02-29', '2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '2024-01-32'],
  ...['2024-01-15T10:30:00Z', '2024-01-15T10:30:00.123Z', '2024-01-15t10:30:00z'],
  ...['2024-01-15T10:30:00.123456789+05:30', '2024-01-15 10:30', '2024-01-15 10:30:00.5-08'],
  ...['2024-01-15 10:30:00 +0530', '2024-01-15 10:30:00+530', '2024-01-15 24:00:00'],
  ...['2024-01-15 24:00:01', '2024-01-15 23:59:60', '2024-01-15 23:59:60.5', '2024-01-15 25:00'],
  ...['2024-01-15 23:60:00', '10:30', '10:30:00', '10:30:00.25', '1030', '103000.5', '10:3'],
  ...['1:2:3', 'T10:30', 'T103000', 't1030', '10:30 PM', '10:30 am', '12:30 AM', '13:30 PM'],
  ...['0:30 pm', '00:30 AM', '12:00 PM', '10:30+02', '10:30:00-05:30', '10:30Z', '24:00:00'],
  ...['24:00:00.1', '23:59:60', '23:59:59.9999999', '23:59:59.9999995', '10:30:60', '10:30:61'],
  ...['10:30:60.5', 'infinity', '-infinity', '+infinity', 'epoch', 'Infinity', ' EPOCH ', 'zulu'],
  ...['', '  ', 'abc', '2024', '2024-01', '  2024-01-15 ', '2024-01-15 BC', '0044-03-15 BC'],
  ...['2024-01-15 10:30:00 BC', '2024-01-15 BC 10:30', '2024-01-15 AD', '4714-11-24 BC'],
  ...['4714-11-23 BC', '4714-11-24 00:00:00 BC', '4714-11-23 23:59:59 BC', '5874897-12-31'],
  ...['5874898-01-01', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.9999999'],
  ...['294277-01-01', '99999-01-01', '2024-01-15 10:30:00+15:59', '2024-01-15 10:30:00+16'],
  ...['2024-01-15 10:30:00-15:59:59', '2024-01-15 10:30:00+05:60', '2024-01-15+02'],
  ...[
    '2024-01-15 -05',
    '20240115 -05:30',
    '0044-03-15 -05 BC',
    '0044-03-15 BC -0530',
    '2024-01-15-05',
    '2024-01-15 -16',
  ],
  ...['2024-01-15Z', '2024-01-15 +02', '2024-01-15-05', '2024-01-15 10:30:00UTC'],
  ...['2024-01-15 10:30:00 gmt', '2024-01-15 10:30:00 zulu', '2024-01-15 10:30:00,5'],
  ...['2024-01-15  10:30:00', '2024-01-15\t10:30', '2024-01-15 T10:30', '2024-01-15T'],
  ...['2024-01-15 10', '20240115T103000', '20240115 103000.123', '20240115T1030Z'],
  ...['2024-01-15 10:30:00.', '2024-01-15 10:30:00.1234565', '2024-01-15 10:30:00.1234575'],
  ...['2024-01-15 10:30:00.0000005', '1999-12-31 23:59:59.9999999', '1999-12-31 23:59:59.5'],
  ...['1969-12-31 23:59:59.123456', '2024-01-15 10:30:00.249999', '2024-12-31 23:59:59.9999995'],
  ...['2024-01-15T10:30:00-0000', '0001-01-01 00:00:00+14', '2024-01-15 10:30:00 foo'],
  ...['2024-01-15 10:30 PM +02', '2024-1-15T1:2:3', '2024-01-15 1:2', '12345-01-01'],
  ...['1582-10-10', '1900-02-29', '2000-02-29', '0001-12-31 BC', '0004-02-29 BC', '0005-02-29 BC'],
  ...many(500, () => {
    const year = random.pick(['2024', '1999', '0850', '12024', '300000', '0001'])
    return `${year}-${1 + random.below(13)}-${1 + random.below(31)}${random.pick(['', ' BC'])}`
  }),
  ...many(800, () => {
    const two = (limit: number) => String(random.below(limit)).padStart(2, '0')
    const date = `${random.pick(['2024', '1999', '2000', '0850'])}-${two(13)}-${two(31)}`
    const fraction = random.pick(['', `.${random.digits(1 + random.below(8))}`])
    const seconds = random.pick(['', `:${two(61)}${fraction}`])
    const zone = random.pick(['', '', 'Z', '+02', '-05:30', ' +0530', '+14:00', ' UTC'])
    const era = random.pick(['', '', '', ' BC'])
    return `${date}${random.pick(['T', ' ', ' '])}${two(25)}:${two(60)}${seconds}${zone}${era}`
  }),
]

/** Dates whose month is a word. */
export const monthNames: readonly string[] = [
  ...['January 8, 1999', 'Jan 8 1999', '8 Jan 1999', '8-Jan-1999', '1999-Jan-08', '1999 Jan 8'],
  ...['Jan-08-1999', 'Jan 8,1999', '  dec 31, 1999  ', 'MAY 5 2024', 'Sept 1 2023', 'sep 1 2023'],
  ...['Monday, January 8, 1999', 'Fri 8 Sept 2023', 'wed 29 February 2024', '29 feb 2023'],
  ...['Jan 8 1999 04:05:06', '8 Jan 1999 04:05 PM', 'Jan 8, 1999 24:00', '8 Jan 1999T10:30'],
  ...['8 Jan 1999 04:05:06+02', 'Jan 8, 1999 BC', 'Jan 8 1999 10:30 BC', 'Jan 8 0099'],
  ...['Jan 32 1999', 'Jan 0 1999', 'Foo 8 1999', 'Janu 8 1999', 'Jan 8', 'Jan 1999', 'Jan 8 1999x'],
  ...['June 31 1999', 'Jan 8 1999 25:00', 'Jan Jan 8 1999', 'Jan 8 0000'],
]

export const intervals: readonly string[] = [
  ...[
    '1 month - 1 day',
    '1 day + 2 hours',
    '- 1 day',
    '+ 1 day',
    '1 year -2 mons',
    '1 - day',
    '- - 1 day',
  ],
  ...['1 day -', '-', '1 day - 04:05', '- 1-2', '1 month -  1 day ago'],
  ...['1 day', '2 days', '1 mon', '1 year 2 mons', '1 year 2 months 3 days 04:05:06.7', '-1 year'],
  ...['-1 day +02:00', '1 day -02:03:04', 'P1Y2M3DT4H5M6S', 'P1W', 'PT36H', 'P-1Y', 'PT-1.5H'],
  ...['P1.5M', 'P', 'PT', 'P1YT', 'P1D1Y', '@ 1 day', '1 day ago', '@ 1 year 2 mons ago', 'ago'],
  ...['5', '-5', '1.5', '1-2', '-1-2', '+1-2', '1-12', '1 2:03', '1-2 3 4:05:06', '04:05'],
  ...['04:05:06', '-04:05:06', '12:34.5', '100:00:00', '1:60', '1:00:60', '1:00:61'],
  ...['1 hour 2:03', '1.5 hours', '0.5 days', '1.5 weeks', '1.5 months', '1.55 months'],
  ...['1.5 years', '1.04 years', '1.05 years', '0.1 month', '.5 day', '1. day', '0.1234567 s'],
  ...['0.0000005 s', '1.0000005 s', '1 sec 500 ms', '1.5 sec 500 ms', '1 day 2 days', '1y'],
  ...['1 y 2 mon', '3days', '1 century', '2 decades 3 years', '1 millennium', '1 mil', '1 quarter'],
  ...['', 'abc', '1 foo', 'infinity', '100000000000 years', '178956970 years', '-178956970 years'],
  ...['2147483647 days', '2147483648 days', '2562047788:00:54', '2562047789:00:00'],
  ...['9223372036854000000 us', '  1   day  ', '1 DAY', '1 Mons', '1e3 s', '90 minutes'],
  ...['25 hours', '400 days', '13 months', '0', '-0.5 s', '-1.5 mons', '1 day -1 hour'],
  ...['-1 day -1 hour ago', '1 mon -1 day', '1 year -1 mon', '-1 year 1 mon', '-1 day 1 sec'],
  ...[
    '1 week 2 days',
    '1 week 1.5 days',
    '1.25 weeks',
    '1 day ago 2 hours',
    '3 ago',
    '3 hours 4 ago',
  ],
  ...[
    '2 millenniums 3 centuries',
    '4 microseconds',
    '7 milliseconds',
    '1 msecond',
    '1 qtr',
    '1 dec',
  ],
  ...[
    'P0001-02-03T04:05:06',
    'P00010203T040506',
    'P00010203',
    'P0001',
    'P0001-02',
    'P1-2T3',
    'PT0405',
  ],
  ...[
    'P1Y-2',
    'P1Y2',
    'PT4:5',
    'PT4:5:6.5',
    'PT4:5:6:7',
    'PT1H2',
    'PT040506.5',
    'P000102035',
    'P.5Y',
    'P-.5Y',
  ],
  ...[
    'P1.5e2Y',
    'P1e3D',
    'P1e16Y',
    'P1e999Y',
    'P+1Y',
    'P1X',
    'PT1X',
    'P1D2',
    'P1DT',
    'PT1HT2M',
    ' P1Y',
    'p1y',
  ],
  ...[
    'P1Y1Y',
    'P1-2-3-4',
    'P00010203-1',
    'P-00010203',
    'PT-040506',
    'P1-2-3T',
    'P1:2',
    'PT1-2',
    'P1Y T1H',
  ],
  ...['-9223372036854775809 us', '9223372036854775808 us', '-2562047788.1 hours'],
  ...['-1 us ago'],
  ...[
    '-2147483648 days ago',
    '-9223372036854775808 us ago',
    '2147483647 years',
    '178956970 years 8 mons',
  ],
  ...['2562047788:00:54.775808', '2562047788.1:0:54', '-2562047788:00:54.775808'],
  ...[
    '99999999999999999999 s',
    '1-99999999999',
    '99999999999999999999:00',
    '-99999999999999999999:00',
  ],
  ...[
    'P2147483648',
    'P-2147483649',
    'P1-2147483647-2147483647',
    'PT2562047789',
    'P0.1-2147483647-00',
  ],
  ...[
    '-1:60:00',
    '-1:00:61',
    '1::5',
    '1:.5',
    '1:2:3.',
    '1:2:3.4.5',
    '1-',
    '1-0',
    '-0-1',
    '1-2-3',
    '1/2',
    '1.2.3',
  ],
  ...[
    '1 day, 2 hours',
    '1day2hours',
    '1y2mons',
    '1mon2days',
    '1h30m',
    '1 timezone',
    '1 day timezone',
    '-infinity x',
  ],
  ...many(300, () => {
    const part = () =>
      random.pick([
        '1',
        '-2',
        '+3',
        '4.5',
        '-.5',
        '6-7',
        '-8-9',
        '1:2',
        '-3:4:5.6',
        'day',
        'h',
        'mons',
        'P1',
        'ago',
      ])
    return Array.from({ length: 1 + random.below(5) }, part).join(random.pick([' ', ' ', '']))
  }),
  ...many(300, () => {
    const part = () =>
      random.pick([
        '1',
        '-2',
        '3.5',
        '-.25',
        '0102',
        '00010203',
        '040506',
        'Y',
        'M',
        'D',
        'W',
        'H',
        'S',
        'T',
        '-',
        ':',
      ])
    return `P${Array.from({ length: 1 + random.below(7) }, part).join('')}`
  }),
  ...many(500, () => {
    const units = ['years', 'mons', 'days', 'hours', 'mins', 'secs', 'weeks', 'ms', 'us', 'decade']
    const words = Array.from({ length: 1 + random.below(4) }, () => {
      const fraction = random.pick(['', `.${random.digits(1 + random.below(4))}`])
      return `${random.pick(['', '-', '+'])}${random.below(200)}${fraction} ${random.pick(units)}`
    })
    return words.join(' ') + random.pick(['', '', ' ago', ' 01:02:03.5'])
  }),
  ...many(200, () => {
    const date = `P${random.pick(['', '3Y'])}${random.pick(['', '4M', '4.5M'])}`
    const days = random.pick(['', `-${random.below(99)}.25D`])
    return date + days + random.pick(['', `T${random.below(50)}H${random.below(90)}M1.125S`])
  }),
]

/** Rounding these, PostgreSQL overflows to another sign. */
export const extremeIntervals: readonly string[] = [
  ...['9223372036854775807 us', '2562047788:00:54.775807', '-2562047788:00:54.775807'],
]

export const uuids: readonly string[] = [
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}',
  'a0eebc999c0b4ef8bb6d6bb9bd380a11',
  'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
  '{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 ',
  ' a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}',
  'a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11',
  '',
]

export const byteStrings: readonly string[] = [
  ...['\\x', '\\xdead', '\\xDEAD', '\\xde ad', '\\x de', '\\xde ', '\\xd', '\\xzz', 'abc'],
  ...['a\\\\b', 'a\\000b', 'a\\377', 'a\\400', 'a\\', 'a\\1', 'é', '', '\\x d e', '\\xde\nad'],
  ...['\\Xde', '\\xdead ', '\\x\tde', '\\\\x'],
]

export const jsonTexts: readonly string[] = [
  ...['1', '"a"', 'null', 'true', 'false', '{}', '[]', ' { "a" : 1 , "b":[1,2, 3] } ', '-0'],
  ...['{"b":1,"aa":2,"a":3,"é":4,"b":5}', '[1,[2,[3]]]', '-0.0', '1e2', '1.50e-2', '1E+3', '01'],
  ...['1.', '.5', '+1', '{"a":1,}', '[1,]', '{a:1}', "{'a':1}", '"\\u00e9"', '"\\u0000"'],
  ...['"\\ud83d\\ude00"', '"\\ud800"', '"\\udc00x"', '"\\x"', '"a', '"a\tb"', 'nul', 'tru', '['],
  ...['"a\\tb\\n\\u0001\\/\\b\\f"', '{', '{"a"}', '{"a":}', '', '  ', '1 2', '"a" "b"', '{"a":1}x'],
  ...['12345678901234567890.123456789', '1e400', '1e-400', '{"a":{"b":{"c":null}}}', '[{}]'],
  ...['[true,false,null]', '"\u2028\u007f"', '{"\\u0061":1,"a":2}', '{"z":1,"y":2,"xx":3,"":4}'],
  ...['\u00a01', '[1\f]', 'NaN', 'Infinity', '{"1":1,"10":2,"2":3}', '"😀"', '[[]]', '{"a":[]}'],
  ...['{"😀":1,"\uffff":2,"aaaa":3}', '1e5', '100e-2', '0.0', '0e5', '123e0', '{"__proto__":1}'],
]

export const arrays: readonly string[] = [
  ...['{}', '{1,2,3}', ' { 1 , 2 } ', '{1,NULL,3}', '{null}', '{{1,2},{3,4}}', '{{1,2},{3}}'],
  ...['{{}}', '{{},{}}', '{1,{2}}', '{{1},2}', '{', '}', '', '1,2', '{1,}', '{,1}', '{1 2}'],
  ...['{"1"}', '{"a b",c}', '{a b, c }', '{"a\\"b","c\\\\d"}', '{a\\,b}', '{"NULL",NULL,null}'],
  ...['{\\null}', '{""}', '{"a"b}', '{a"b"}', '{a}b', '{a} ', '{{{1}}}', '{{{{{{1}}}}}}'],
  ...['{"a,b","{x}"}', '{a{b}', '{é,😀}', '{t,f}', '{true,false}', '{"{1,2}"}', '{1.5,2}'],
  ...['{2024-01-15,"2024-01-16 10:00"}', '{\\}', '{"\\}"}', '{a\\ }', '{ a\\  }', '{"a" , "b"}'],
  ...['{"{\\"a\\": 1}","[1]"}', '{sad,happy}', '{sad,angry}', "{'a'}", '{a;b}', '{-5,+5}'],
  ...['{a\tb}', '{\ta}', '{nullx,NULLx}', '{"\\\\"}', '{[1]}', '{(1)}', '{abcd,e}'],
]

export const texts: readonly string[] = [
  ...['', 'abc', 'abcdef', 'abcde   ', 'abcdefgh', '😀😀😀😀😀😀', 'éééééé', '  a', 'a ', 'abcd  '],
  ...['abcde f', 'null', "it's", 'a\\b', 'a\nb', 'x'.repeat(70), 'é'.repeat(40)],
  `${'a'.repeat(62)}é`,
]

export const bitStrings: readonly string[] = [
  ...['', '0', '1', '101', 'b101', 'B1', 'x1F', 'XFF', '2', '1 0', ' 1', '10101010', '1010', 'xg'],
]

export const labels: readonly string[] = ['sad', 'ok', 'happy', 'SAD', ' sad', '', 'angry']
