import { deepEqual } from 'node:assert/strict'
import { check, type OwnCheck } from '../own-client.ts'
import { blocks } from './blocks.ts'
import { copies } from './copies.ts'
import { copyFormats } from './copy-formats.ts'
import { cursors } from './cursors.ts'
import { errors } from './errors.ts'
import { queries } from './queries.ts'
import { logIn } from './raw-client.ts'
import type { Scenario } from './scenario.ts'
import { settings } from './settings.ts'
import { startupChecks } from './startup-checks.ts'
import { statements } from './statements.ts'
import { transactions } from './transactions.ts'
import { values } from './values.ts'
import { waits } from './waits.ts'

const scenarios = [
  ...statements,
  ...cursors,
  ...queries,
  ...values,
  ...transactions,
  ...blocks,
  ...settings,
  ...copies,
  ...copyFormats,
  ...errors,
  ...waits,
]

/** The protocol itself, message by message. */
export const rawChecks: readonly OwnCheck[] = [...startupChecks, ...scenarios.map(checkOf)]

function checkOf({ name, messages, answers, needs }: Scenario): OwnCheck {
  return check(
    `protocol: ${name}`,
    async ({ target }) => {
      const session = await logIn(target)
      const said = await session.exchange(messages, answers.filter(isReady).length || 1)
      session.end()
      deepEqual(said.join(' ; ').split(/(?<=Z [ITE]) ; /), answers)
    },
    needs,
  )
}

function isReady(answer: string): boolean {
  return /Z [ITE]$/.test(answer)
}
