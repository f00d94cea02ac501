import { GatewayError } from '@engine/core'
import { invalidConfiguration } from '@engine/core/server'
import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

const main = `${process.cwd()}/engine.config.ts`
const imported = `${process.cwd()}/config/limits.ts`
const options = {
  files: [main, imported],
  nowMs: 0,
  redact: (text: string) => text.replaceAll('hunter2', '…'),
}
const loading = (stack: string) => {
  const cause = Object.assign(new Error('it is wrong'), { stack })
  return new GatewayError('invalidConfiguration', 'it cannot be loaded: hunter2', { cause })
}

test('faults have their paths, and belong to the configuration file', () => {
  const error = invalidConfiguration([{ path: 'limits.maxRows', message: 'not hunter2' }])
  expect(refusalOf(error, options)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    file: 'engine.config.ts',
    line: null,
    faults: [{ path: 'limits.maxRows', message: 'not …' }],
  })
})

test.each([
  [
    'a module that does not compile',
    `${main}:12\n  } of {\nSyntaxError: …`,
    'engine.config.ts',
    12,
  ],
  [
    'a module that was loaded again',
    `Error: …\n    at f (node:internal:1:2)\n    at file://${imported}?again=0-a:3:6`,
    'config/limits.ts',
    3,
  ],
  [
    'a place elsewhere',
    'Error: …\n    at /elsewhere/engine.config.ts:3:6',
    'engine.config.ts',
    null,
  ],
])('%s', (_, stack, file, line) => {
  expect(refusalOf(loading(stack), options)).toMatchObject({
    file,
    line,
    faults: [{ path: '', message: 'it cannot be loaded: …' }],
  })
})

test('any other error is its message', () => {
  expect(refusalOf('odd', options)).toMatchObject({ faults: [{ path: '', message: 'odd' }] })
})
