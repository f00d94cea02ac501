import { expect, test } from 'vitest'
import { startupSettings } from './startup-settings.ts'

const settingsOf = (parameters: Readonly<Record<string, string>>) => [
  ...startupSettings(new Map(Object.entries(parameters))),
]

test('everything but user, database and options is a setting', () => {
  expect(settingsOf({ user: 'u', database: 'd', replication: 'off', DateStyle: 'ISO' })).toEqual([
    ['DateStyle', 'ISO'],
  ])
})

test('options are read as on a command line', () => {
  const options = '-c search_path=main -cTimeZone=UTC  --statement-timeout=5s -c a.b=x\\ y\\\\z='
  expect(settingsOf({ options, application_name: 'psql' })).toEqual([
    ['search_path', 'main'],
    ['TimeZone', 'UTC'],
    ['statement_timeout', '5s'],
    ['a.b', 'x y\\z='],
    ['application_name', 'psql'],
  ])
})

test('a setting of the packet counts more than one in its options', () => {
  expect(settingsOf({ TimeZone: 'UTC', options: '-c TimeZone=Asia/Tokyo' })).toEqual([
    ['TimeZone', 'UTC'],
  ])
})

test.each(['-x', 'TimeZone=UTC', '-c', '-c TimeZone', '--=x', '-d 5'])(
  'the option %s is refused',
  (options) => {
    expect(() => settingsOf({ options })).toThrow(expect.objectContaining({ sqlState: '42601' }))
  },
)
