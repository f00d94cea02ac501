import { admin } from '@engine/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readTestFile } from '../../src/permission-tests/test-file.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

describe('a file of permission tests', () => {
  let folder: TestFolder

  beforeEach(() => {
    folder = createFolder()
  })
  afterEach(() => folder.remove())

  test('a file of permission tests names its configuration from where it is, and callers by name', async () => {
    const path = folder.write(
      'a.json',
      JSON.stringify({
        config: 'engine.config.ts',
        callers: { ada: { roles: ['clerk'], fields: { tenant: 'acme' } } },
        tests: [
          { name: 'one', as: 'ada', sql: 'select 1', expect: { count: 1 }, given: ['select 2'] },
          { name: 'two', as: 'admin', sql: 'select $1', params: [7], expect: { rows: [[7]] } },
        ],
      }),
    )
    expect(await readTestFile(path)).toEqual({
      config: `${folder.path}/engine.config.ts`,
      tests: [
        {
          name: 'one',
          caller: { kind: 'user', id: '', roles: ['clerk'], fields: { tenant: 'acme' } },
          given: [{ sql: 'select 2' }],
          sql: 'select 1',
          expect: { count: 1 },
        },
        {
          name: 'two',
          caller: admin,
          given: [],
          sql: 'select $1',
          params: [7],
          expect: { rows: [[7]] },
        },
      ],
    })
  })

  const testWith = (more: object) =>
    JSON.stringify({
      tests: [{ name: 'a', as: 'admin', sql: 'select 1', expect: { count: 1 }, ...more }],
    })

  test.each<[name: string, content: string, message: string]>([
    ['that is no JSON', '{', 'JSON'],
    ['that is a list', '[]', 'expected object'],
    ['without tests', '{}', 'tests'],
    ['that expects nothing', testWith({ expect: {} }), 'expects something to hold'],
    ['that expects an order only', testWith({ expect: { anyOrder: true } }), 'something to hold'],
    ['with a misspelt expectation', testWith({ expect: { row: [] } }), '"row"'],
    ['with a misspelt key', testWith({ gven: [] }), '"gven"'],
    ['with a caller that nobody is', testWith({ as: 'nobody' }), 'tests[0].as'],
    ['without a caller', testWith({ as: undefined }), 'tests[0].as'],
    ['with a caller of a wrong form', '{"callers":{"a":{"role":"x"}},"tests":[]}', 'callers.a'],
  ])('%s is refused', async (_, content, message) => {
    await expect(readTestFile(folder.write('wrong.json', content))).rejects.toMatchObject({
      problem: 'invalidConfiguration',
      message: expect.stringContaining(message),
    })
  })

  test.each(['none.json', 'none.ts'])('%s that is not there is refused', async (name) => {
    await expect(readTestFile(`${folder.path}/${name}`)).rejects.toMatchObject({
      problem: 'invalidConfiguration',
      message: expect.stringContaining(name),
    })
  })
})
