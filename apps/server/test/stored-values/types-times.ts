/** @module Dates and times. */
import * as fc from 'fast-check'
import { both, type Columns, everywhere, type StoredType } from './stored-type.ts'

const dates = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const clocks = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999))
  .map(([hour, minute, second, micros]) => {
    const clock = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')
    return `${clock}.${String(micros).padStart(6, '0')}`
  })

const moments = fc.tuple(dates, clocks).map((parts) => parts.join(' '))

/** Seconds that every database has. */
const recent = fc
  .tuple(fc.integer({ min: 1, max: 2_147_483_645 }), fc.nat(999_999))
  .map(([seconds, micros]) => {
    const [date = ''] = new Date(seconds * 1000).toISOString().split('.')
    return `${date.replace('T', ' ')}.${String(micros).padStart(6, '0')}+00`
  })

const roundedTimes = [
  '23:00:00',
  '00:00:00',
  '24:00:00',
  '23:59:59.5',
  '23:59:59.9995',
  '23:59:59.999999',
  '10:11:12.123456',
  '10:11:12.5',
  '10:11:12.4995',
  '00:00:00.000001',
  '10:11',
]
const wrongTimes = ['24:00:01', '24:00:00.000001', '25:00', '-01:00:00', '838:59:59', 'x', '']

function times(precision: number): StoredType {
  const type = `time(${precision})`
  return {
    name: type,
    type,
    columns: everywhere(type),
    values: roundedTimes,
    refused: wrongTimes,
    random: clocks,
  }
}

const roundedMoments = [
  '2024-02-29 10:11:12.500',
  '2024-12-31 23:59:59.9995',
  '2024-02-28 23:59:59.5',
  '1999-12-31 23:59:59.9995',
  '1999-12-31 23:59:59.999501',
  '1969-12-31 23:59:59.5',
  '0001-01-01 00:00:00',
  '9999-12-31 23:59:59',
  '2024-01-15 23:00:00.000001',
  '2024-01-15 10:30:00.123456',
  '2024-01-15T10:30:00',
  '2024-01-15',
  '1582-10-10 00:00:00.5',
]

function timestamps(precision: number, columns: Columns): StoredType {
  const type = `timestamp(${precision})`
  return {
    name: type,
    type,
    columns,
    values: roundedMoments,
    refused: ['2024-02-30 00:00:00', '2024-01-15 25:00:00', '0000-00-00 00:00:00', 'x', ''],
    random: moments,
  }
}

const zonedMoments = [
  '2024-02-29 10:11:12.500+00',
  '2024-12-31 23:59:59.9995+00',
  '1999-12-31 23:59:59.9995+00',
  '1970-01-01 00:00:01+00',
  '2038-01-19 03:14:07+00',
  '2024-07-01 12:00:00+05:30',
  '2024-03-10T02:30:00.25-05',
  '2024-01-15 23:00:00.000001+00',
]

function zoned(precision: number, columns: Columns, refused: readonly string[] = []): StoredType {
  const type = `timestamptz(${precision})`
  return {
    name: refused.length === 0 ? type : `${type} of 32 bits`,
    type,
    columns,
    values: zonedMoments,
    refused: ['2024-02-30 00:00:00+00', 'x', ...refused],
    random: recent,
  }
}

const outOf32Bits = [
  '1970-01-01 00:00:00+00',
  '1969-12-31 23:59:59+00',
  '2038-01-19 03:14:08+00',
  '2038-01-19 03:14:07.9999999+00',
  '0001-01-01 00:00:00+00',
]

/** What a year of 1 to 9999 does not reach. */
const farMoments = ['infinity', '-infinity', '10000-01-01', '0044-03-15 BC']

export const timeTypes: readonly StoredType[] = [
  {
    name: 'date',
    type: 'date',
    columns: everywhere('date'),
    values: ['0001-01-01', '9999-12-31', '2024-02-29', '1582-10-10', '1970-01-01', '2000-01-01'],
    refused: ['2023-02-29', '0000-00-00', '2024-13-01', '2024-00-01', 'x', ''],
    random: dates,
  },
  {
    name: 'dates of four digits',
    type: 'date',
    columns: both('date'),
    values: ['2024-01-01'],
    refused: farMoments,
  },
  ...[0, 3, 5, 6].map(times),
  ...[0, 3, 6].map((digits) =>
    timestamps(digits, everywhere(`timestamp(${digits})`, `datetime(${digits})`)),
  ),
  {
    name: 'timestamps of four digits',
    type: 'timestamp(3)',
    columns: both('datetime(3)'),
    values: ['9999-12-31 23:59:59.999499', '2024-01-01'],
    refused: [...farMoments, '9999-12-31 23:59:59.9995'],
  },
  ...[0, 3, 6].map((digits) => zoned(digits, both(`timestamp(${digits}) null`), outOf32Bits)),
  ...[0, 3, 6].map((digits) =>
    zoned(digits, { postgres: `timestamptz(${digits})`, sqlite: `timestamptz(${digits})` }),
  ),
]
