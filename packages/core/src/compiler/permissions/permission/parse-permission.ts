import type { Faults } from '../../../foundation/faults.ts'
import { suggestion } from '../../../foundation/faults.ts'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { Permission } from './permission.ts'

/**
 * Checks the shape of a permission: every key known, every value of the right kind. Names (tables, columns, operators) are
 * checked later against the catalog.
 *
 * @returns undefined when there were faults.
 */
export function parsePermission(
  input: unknown,
  faults: Faults,
  path: string,
): Permission | undefined {
  const before = faults.list.length
  const object = expectObject(input, faults, path, [
    'table',
    'roles',
    'name',
    'description',
    'restrict',
    'select',
    'insert',
    'update',
    'delete',
  ])
  if (object === undefined) return undefined
  if (typeof object['table'] !== 'string' || !/^[^.]+\..+$/.test(object['table'])) {
    faults.add(`${path}.table`, 'expects "<connection>.<table>"')
  }
  expectRoles(object['roles'], faults, `${path}.roles`)
  for (const key of ['name', 'description']) {
    if (object[key] !== undefined && typeof object[key] !== 'string') {
      faults.add(`${path}.${key}`, 'expects a text')
    }
  }
  expectFilter(object['restrict'], faults, `${path}.restrict`)
  parseSelect(object['select'], faults, `${path}.select`)
  parseWrite(object['insert'], faults, `${path}.insert`, ['check'])
  parseWrite(object['update'], faults, `${path}.update`, ['where', 'check'])
  if (object['delete'] !== undefined) {
    const block = expectObject(object['delete'], faults, `${path}.delete`, ['where'])
    expectFilter(block?.['where'], faults, `${path}.delete.where`)
  }
  if (!['select', 'insert', 'update', 'delete'].some((key) => object[key] !== undefined)) {
    faults.add(path, 'grants nothing: give it select, insert, update or delete')
  }
  return faults.list.length === before ? (input as Permission) : undefined
}

function parseSelect(input: unknown, faults: Faults, path: string): void {
  if (input === undefined) return
  const block = expectObject(input, faults, path, ['columns', 'where', 'limit', 'aggregate'])
  if (block === undefined) return
  expectColumns(block['columns'], faults, `${path}.columns`)
  expectFilter(block['where'], faults, `${path}.where`)
  const limit = block['limit']
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) >= 0)) {
    faults.add(`${path}.limit`, 'expects a whole number of rows')
  }
  if (block['aggregate'] !== undefined && typeof block['aggregate'] !== 'boolean') {
    faults.add(`${path}.aggregate`, 'expects true or false')
  }
}

function parseWrite(
  input: unknown,
  faults: Faults,
  path: string,
  filters: readonly string[],
): void {
  if (input === undefined) return
  const block = expectObject(input, faults, path, ['columns', 'preset', ...filters])
  if (block === undefined) return
  expectColumns(block['columns'], faults, `${path}.columns`)
  for (const key of filters) expectFilter(block[key], faults, `${path}.${key}`)
  if (block['preset'] !== undefined && !isPlainObject(block['preset'])) {
    faults.add(`${path}.preset`, 'expects an object of column: value')
  }
}

function expectObject(
  input: unknown,
  faults: Faults,
  path: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  if (!isPlainObject(input)) {
    faults.add(
      path,
      input === true ? 'expects an object: {} allows all of it' : 'expects an object',
    )
    return undefined
  }
  for (const key of Object.keys(input)) {
    if (known.includes(key)) continue
    const place = known.includes('select') ? operationsWith(key) : ''
    faults.add(`${path}.${key}`, `unknown key${place === '' ? suggestion(key, known) : place}`)
  }
  return input
}

const operationsByOption: Readonly<Record<string, string>> = {
  columns: 'select, insert or update',
  where: 'select, update or delete',
  check: 'insert or update',
  preset: 'insert or update',
  limit: 'select',
  aggregate: 'select',
}

/** The operations that an option belongs to, if it is written beside them. */
function operationsWith(key: string): string {
  const operations = Object.hasOwn(operationsByOption, key) ? operationsByOption[key] : undefined
  return operations === undefined ? '' : `; it belongs inside ${operations}`
}

function expectColumns(input: unknown, faults: Faults, path: string): void {
  if (input === undefined || input === '*') return
  if (!isTextList(input)) faults.add(path, 'expects a list of texts')
}

/** Roles are compared exactly: a role with surrounding blanks would never match. */
function expectRoles(input: unknown, faults: Faults, path: string): void {
  if (!isTextList(input) || input.length === 0) {
    faults.add(path, 'expects a non-empty list of texts')
  } else if (input.some((role) => role === '' || role !== role.trim())) {
    faults.add(path, 'expects names without blanks around them')
  }
}

/** A list with holes is not a list of texts. */
function isTextList(input: unknown): input is readonly string[] {
  return Array.isArray(input) && Array.from(input).every((item) => typeof item === 'string')
}

function expectFilter(input: unknown, faults: Faults, path: string): void {
  if (input !== undefined && !isPlainObject(input)) faults.add(path, 'a filter is an object')
}
