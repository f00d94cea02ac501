import { expect, test } from 'vitest'
import { findImports, findInstall } from './find-install.ts'

test('what to install follows the first npm install', () => {
  const markdown =
    '# a\n```sh\nnpm install --save-dev @engine/core pg@8 # two\n```\nnpm install b\n'
  expect(findInstall(markdown)).toEqual(['@engine/core', 'pg@8'])
  expect(findInstall('run npm install to install')).toBeUndefined()
})

test('imports are packages, whatever is taken of them', () => {
  const code = `
import { readFile } from 'node:fs'
import mysql from 'mysql2/promise'
import {
  connect,
} from '@engine/adapters-mysql'
import { createAuth } from '@engine/client/auth'
import { createClient } from '@engine/client'
import { local } from './local.ts'
`
  expect(findImports(code)).toEqual(['mysql2', '@engine/adapters-mysql', '@engine/client'])
})
