/** @module Which columns of the user table an invitation, or an administrator who makes an account, may set. */

import type { FieldValue } from '@engine/contract/admin-api'
import { type Engine, GatewayError } from '@engine/core'
import type { UserTableSettings } from '@engine/core/server'
import { tableShape, unfilledAtSignUp } from '../accounts/user-table.ts'
import { secretLooking } from '../callers/user-rows.ts'
import { invalidInput } from '../input/read-input.ts'

/** Maximum characters of one value. */
const longestText = 10_000

/**
 * Refuses columns that do not exist, are set with the account (address, name, and a key that sign-up or the database makes), are computed by the database, or may hold a
 * secret.
 *
 * @throws {GatewayError} `invalidInput` naming the column; `unavailable` while the table is not known.
 */
export function checkFields(
  fields: Readonly<Record<string, FieldValue>>,
  settings: UserTableSettings | undefined,
  engine: Engine,
): void {
  const names = Object.keys(fields)
  if (names.length === 0) return
  if (settings === undefined) {
    throw invalidInput(
      'fields: there is no user table (auth.userTable) whose columns they could be.',
    )
  }
  const { table, key, email, displayName } = tableShape(settings, engine)
  const isKeyGiven = unfilledAtSignUp(table, key).includes(key)
  for (const name of names) {
    const column = table.columns.find((each) => each.name === name)
    if (column === undefined) throw invalidInput(`fields.${name}: there is no such column.`)
    const isOwnKey = column === key && !isKeyGiven
    if (isOwnKey || column === email || column === displayName) {
      throw invalidInput(`fields.${name}: is set with the account.`)
    }
    if (column.generated !== 'no') {
      throw invalidInput(`fields.${name}: the database computes this column.`)
    }
    if (secretLooking.test(name) || name === settings.passwordColumn) {
      throw invalidInput(`fields.${name}: may hold a secret.`)
    }
    checkValue(name, fields[name])
  }
}

function checkValue(name: string, value: unknown): void {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value !== 'string') {
    throw invalidInput(`fields.${name}: must be a text, a number, true, false or null.`)
  }
  if (value.length > longestText || !value.isWellFormed() || value.includes('\0')) {
    throw invalidInput(`fields.${name}: is too long, or no text.`)
  }
}

/** The errors of values that do not have the form of their column. */
export function asInvalidField(error: unknown): unknown {
  const isValue =
    error instanceof GatewayError &&
    ['invalidParameter', 'invalidValue', 'dataError'].includes(error.problem)
  return isValue ? invalidInput(`fields: ${error.message}`) : error
}
