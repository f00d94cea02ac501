import { GatewayError } from '@engine/core'
import { describe, expect, test } from 'vitest'
import { createSessionSettings } from './create-session-settings.ts'
import type { SessionSettings, SettingsOptions } from './session-settings.ts'

const open = (
  startup: Readonly<Record<string, string>> = {},
  options: Partial<SettingsOptions> = {},
): SessionSettings =>
  createSessionSettings({
    identity: {
      user: 'ada',
      database: 'shop',
      processId: 7,
      applicationName: 'psql',
      settings: new Map(Object.entries(startup)),
    },
    serverVersion: '18.1',
    defaultSearchPath: ['main'],
    publicConnection: 'main',
    isSuperuser: false,
    ...options,
  })

const sqlStateOf = (action: () => unknown): string | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    return error instanceof GatewayError ? error.sqlState : String(error)
  }
}

describe('what is reported to clients', () => {
  test('at first everything that drivers look at', () => {
    expect(Object.fromEntries(open().takeChanged())).toEqual({
      server_version: '18.1',
      server_encoding: 'UTF8',
      client_encoding: 'UTF8',
      application_name: 'psql',
      is_superuser: 'off',
      session_authorization: 'ada',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      TimeZone: 'UTC',
      integer_datetimes: 'on',
      standard_conforming_strings: 'on',
      default_transaction_read_only: 'off',
      in_hot_standby: 'off',
      scram_iterations: '4096',
      search_path: 'main',
    })
  })

  test('an older server reports less', () => {
    const names = open({}, { serverVersion: '15.3' })
      .takeChanged()
      .map(([name]) => name)
    expect(names).not.toContain('search_path')
    expect(names).not.toContain('scram_iterations')
    expect(names).toContain('TimeZone')
  })

  test('then what changed, also back by a rollback', () => {
    const settings = open()
    settings.takeChanged()
    expect(settings.takeChanged()).toEqual([])
    settings.begin()
    settings.set('timezone', 'Europe/Berlin', false)
    settings.set('work_mem', '8MB', false)
    expect(settings.takeChanged()).toEqual([['TimeZone', 'Europe/Berlin']])
    settings.rollBack()
    expect(settings.takeChanged()).toEqual([['TimeZone', 'UTC']])
    settings.set('timezone', 'utc', false)
    expect(settings.takeChanged()).toEqual([])
  })
})

describe('the startup packet', () => {
  test('says what the session begins with and resets to', () => {
    const settings = open({ TimeZone: 'europe/paris', datestyle: 'ISO, DMY', 'app.user': 'x' })
    expect(settings.timeZone()).toBe('Europe/Paris')
    settings.set('timezone', 'UTC', false)
    settings.set('app.user', 'y', false)
    settings.resetAll()
    expect(settings.timeZone()).toBe('Europe/Paris')
    expect(settings.show('app.user')).toBe('x')
    expect(settings.show('DateStyle')).toBe('ISO, DMY')
  })

  test.each([
    [{ nonsense: '1' }, '42704'],
    [{ client_encoding: 'KLINGON' }, '22023'],
    [{ client_encoding: 'SJIS' }, '0A000'],
    [{ server_version: '1' }, '55P02'],
    [{ max_connections: '1' }, '55P02'],
    [{ log_statement: 'all' }, '42501'],
  ])('with %j it is refused', (startup, sqlState) => {
    expect(sqlStateOf(() => open(startup))).toBe(sqlState)
  })

  test('time limits of the configuration are what a session begins with', () => {
    const settings = open({}, { idleInTransactionTimeoutMs: 60_000, idleSessionTimeoutMs: 1500 })
    expect(settings.show('idle_in_transaction_session_timeout')).toBe('1min')
    expect(settings.idleInTransactionTimeoutMs()).toBe(60_000)
    expect(settings.idleSessionTimeoutMs()).toBe(1500)
    settings.set('idle_session_timeout', '0', false)
    expect(settings.idleSessionTimeoutMs()).toBeUndefined()
    settings.resetAll()
    expect(settings.idleSessionTimeoutMs()).toBe(1500)
  })
})

describe('who may change what', () => {
  test.each([
    ['nonsense', '1', '42704'],
    ['server_version', '1', '55P02'],
    ['max_connections', '1', '55P02'],
    ['fsync', 'off', '55P02'],
    ['session_replication_role', 'replica', '42501'],
    ['DateStyle', 'nonsense', '22023'],
    ['DateStyle', 'ISO, SQL', '22023'],
    ['DateStyle', 'DMY, MDY', '22023'],
    ['IntervalStyle', 'iso', '22023'],
    ['standard_conforming_strings', 'maybe', '22023'],
    ['client_encoding', 'KLINGON', '22023'],
    ['client_encoding', 'EUC_TW', '0A000'],
    ['TimeZone', 'Mars/Phobos', '22023'],
    ['array_nulls', 'off', '22023'],
    ['transform_null_equals', 'on', '22023'],
    ['default_text_search_config', 'klingon', '22023'],
    ['lc_monetary', 'de_DE.UTF-8', '22023'],
    ['xmloption', 'document', '22023'],
    ['timezone_abbreviations', 'India', '22023'],
    ['work_mem', '1', '22023'],
    ['work_mem', '1 parsec', '22023'],
    ['statement_timeout', '-1', '22023'],
    ['row_security', 'maybe', '22023'],
    ['search_path', '"unclosed', '22023'],
    ['role', 'admin', '0A000'],
    ['session_authorization', 'bob', '0A000'],
    ['a.1b', 'x', '42602'],
    ['transaction_isolation', 'serializable', '0A000'],
  ])('SET %s = %s is refused', (name, value, sqlState) => {
    const settings = open()
    expect(sqlStateOf(() => settings.set(name, value, false))).toBe(sqlState)
  })

  test('what is the case already may be said again', () => {
    const settings = open()
    settings.set('role', 'none', false)
    settings.set('session_authorization', 'ada', false)
    settings.set('IntervalStyle', 'Postgres', false)
    settings.set('standard_conforming_strings', '1', false)
    settings.set('transaction_isolation', undefined, false)
    expect(settings.show('role')).toBe('none')
  })

  test('a session cannot keep any amount of text', () => {
    const settings = open()
    for (let i = 0; i < 20; i += 1) settings.set(`app.v${i}`, 'x'.repeat(10_000), false)
    expect(sqlStateOf(() => settings.set('app.more', 'x'.repeat(100_000), false))).toBe('54000')
    settings.set('app.v0', '', false)
    settings.set('app.less', 'x', true)
  })
})

describe('transactions', () => {
  test('SET LOCAL ends with its transaction, SET does not', () => {
    const settings = open()
    settings.begin()
    settings.set('work_mem', '8MB', false)
    settings.set('app.a', 'local', true)
    settings.set('jit', 'off', true)
    expect([settings.show('work_mem'), settings.show('app.a'), settings.show('jit')]).toEqual([
      '8MB',
      'local',
      'off',
    ])
    settings.commit()
    expect(settings.show('work_mem')).toBe('8MB')
    expect(settings.show('jit')).toBe('on')
  })

  test('SET after SET LOCAL wins, and stays', () => {
    const settings = open()
    settings.begin()
    settings.set('jit', 'off', true)
    settings.set('jit', 'on', false)
    expect(settings.show('jit')).toBe('on')
    settings.set('jit', 'off', true)
    settings.commit()
    expect(settings.show('jit')).toBe('on')
  })

  test('savepoints take values back', () => {
    const settings = open()
    settings.begin()
    settings.set('work_mem', '1MB', false)
    settings.savepoint('a')
    settings.set('work_mem', '2MB', false)
    settings.savepoint('b')
    settings.set('work_mem', '3MB', true)
    settings.rollBackTo('b')
    expect(settings.show('work_mem')).toBe('2MB')
    settings.release('b')
    settings.rollBackTo('a')
    settings.rollBackTo('a')
    expect(settings.show('work_mem')).toBe('1MB')
    settings.rollBackTo('unknown')
    settings.commit()
    expect(settings.show('work_mem')).toBe('1MB')
  })

  test('SHOW says how the transaction is', () => {
    const settings = open()
    const modes = { isReadOnly: undefined, isolation: undefined, isDeferrable: undefined }
    settings.setSessionCharacteristics({ ...modes, isolation: 'serializable' })
    expect(settings.defaultIsolation()).toBe('serializable')
    expect(settings.show('transaction_isolation')).toBe('serializable')
    settings.begin({ ...modes, isolation: 'repeatable read' })
    expect(settings.show('transaction_isolation')).toBe('repeatable read')
    settings.characterize({ ...modes, isReadOnly: true })
    expect(settings.show('transaction_read_only')).toBe('on')
    expect(settings.show('default_transaction_read_only')).toBe('off')
    settings.commit()
    expect(settings.show('transaction_read_only')).toBe('off')
    expect(settings.isReadOnlyByDefault()).toBe(false)
  })
})

describe('the search path', () => {
  test('names connections; public and "$user" mean the default one', () => {
    const settings = open({}, { defaultSearchPath: ['main', 'other'] })
    const path = (text: string) => {
      settings.set('search_path', text, false)
      return settings.searchPath()
    }
    expect(settings.searchPath()).toEqual(['main', 'other'])
    expect(path('"$user", public')).toEqual(['main'])
    expect(path('other, Main, "Big"')).toEqual(['other', 'main', 'Big'])
    expect(path('pg_catalog, other, public')).toEqual(['other', 'main'])
    expect(path('')).toEqual([])
    const several = open({}, { defaultSearchPath: ['main', 'other'], publicConnection: undefined })
    expect(several.searchPath()).toEqual(['main', 'other'])
    several.set('search_path', 'public', false)
    expect(several.searchPath()).toEqual([])
    expect(open({}, { defaultSearchPath: [] }).show('search_path')).toBe('"$user", public')
    expect(open({}, { defaultSearchPath: ['a b'] }).show('search_path')).toBe('"a b"')
  })

  test('is the same object while it is the same path', () => {
    const settings = open()
    expect(settings.searchPath()).toBe(settings.searchPath())
  })
})

test('numbers are shown in their largest unit', () => {
  const settings = open()
  const shown = (name: string, value: string) => {
    settings.set(name, value, false)
    return settings.show(name)
  }
  expect(shown('statement_timeout', '60000')).toBe('1min')
  expect(settings.statementTimeoutMs()).toBe(60_000)
  expect(shown('statement_timeout', '1500ms')).toBe('1500ms')
  expect(shown('statement_timeout', '0')).toBe('0')
  expect(settings.statementTimeoutMs()).toBeUndefined()
  expect(shown('work_mem', '65536')).toBe('64MB')
  expect(shown('temp_buffers', '100')).toBe('800kB')
})

test('names of applications are printable', () => {
  const settings = open()
  settings.set('application_name', 'tab\tü', false)
  expect(settings.show('application_name')).toBe(String.raw`tab\x09\xc3\xbc`)
  settings.set('application_name', 'x'.repeat(70), false)
  expect(settings.show('application_name')).toHaveLength(63)
})

test('SHOW ALL is sorted, and leaves out hidden settings', () => {
  const settings = open()
  settings.set('app.user', 'x', false)
  const names = settings.all().map(([name]) => name)
  expect(names.length).toBeGreaterThan(150)
  expect(names.map((name) => name.toLowerCase())).toEqual(
    names.map((name) => name.toLowerCase()).sort(),
  )
  expect(names).toContain('app.user')
  expect(names).not.toContain('role')
  expect(settings.nameOf('timezone')).toBe('TimeZone')
})

test('a change of a value is another state, and a rollback returns to the earlier one', () => {
  const settings = open()
  settings.begin()
  const before = settings.state()
  settings.set('timezone', 'Europe/Rome', false)
  const changed = settings.state()
  expect(changed).not.toBe(before)
  settings.show('timezone')
  expect(settings.state()).toBe(changed)
  settings.rollBack()
  expect(settings.state()).toBe(before)
})

test('time limits follow the settings', () => {
  const settings = open()
  settings.set('statement_timeout', '2s', false)
  expect(settings.statementTimeoutMs()).toBe(2_000)
  settings.set('statement_timeout', '0', false)
  expect(settings.statementTimeoutMs()).toBeUndefined()
})
