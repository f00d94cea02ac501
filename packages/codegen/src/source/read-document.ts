/** @module Checks that the answer of a server is a schema, completely, before anything is generated from it. */
import type { SchemaDocument } from '@engine/contract'

/** Either a schema, or the position and the reason of its error. */
export type ReadDocument =
  | { readonly kind: 'schema'; readonly document: SchemaDocument }
  | { readonly kind: 'fault'; readonly path: string; readonly message: string }

/** Checks every part that the generator uses; other parts are ignored. */
export function readDocument(value: unknown): ReadDocument {
  const fault = faultIn(value)
  return fault === undefined
    ? { kind: 'schema', document: value as SchemaDocument }
    : { kind: 'fault', ...fault }
}

interface Fault {
  readonly path: string
  readonly message: string
}

/** Checks one value; undefined when it is valid. */
type Check = (value: unknown, path: string) => Fault | undefined

function faultIn(value: unknown): Fault | undefined {
  return checkDocument(value, '')
}

const checkText: Check = (value, path) =>
  typeof value === 'string' ? undefined : { path, message: 'expects a text' }

const checkFlag: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : { path, message: 'expects true or false' }

const checkTexts: Check = (value, path) =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    ? undefined
    : { path, message: 'expects a text or a list of texts' }

function checkListOf(what: string, types: readonly string[]): Check {
  return (value, path) =>
    Array.isArray(value) && value.every((item) => types.includes(typeof item))
      ? undefined
      : { path, message: `expects a list of ${what}` }
}

const checkObject: Check = (value, path) =>
  isObject(value) ? undefined : { path, message: 'expects an object' }

const relationshipTypes = ['one-to-one', 'one-to-many', 'many-to-one', 'many-to-many']

const checkColumn = fields({
  type: checkText,
  nullable: checkFlag,
  hasDefault: checkFlag,
  primaryKey: checkFlag,
  identity: optional((value, path) =>
    value === 'always' || value === 'byDefault'
      ? undefined
      : { path, message: 'expects always or byDefault' },
  ),
  generated: optional((value, path) =>
    value === true ? undefined : { path, message: 'expects true' },
  ),
  enum: optional(checkListOf('texts or numbers', ['string', 'number'])),
  set: optional(checkListOf('texts', ['string'])),
  domain: optional(checkText),
  comment: optional(checkText),
})

const checkRelationship = fields({
  table: checkText,
  type: (value, path) =>
    relationshipTypes.includes(String(value))
      ? undefined
      : { path, message: `expects one of ${relationshipTypes.join(', ')}` },
  from: checkTexts,
  to: checkTexts,
})

const checkTable = fields({
  comment: optional(checkText),
  columns: each(checkColumn),
  relationships: each(checkRelationship),
})

const checkConnection = fields({ type: checkText, tables: each(checkTable) })

const checkAction = fields({ input: checkObject, output: optional(checkObject) })

const checkDocument = fields({
  connections: each(checkConnection),
  actions: optional(each(checkAction)),
})

/** An object with these keys, each with its own check. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, message: 'expects an object' }
    return first(checks, (name, check) => check(value[name], joined(path, name)))
  }
}

/** An object with any keys, whose values all pass the check. */
function each(check: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, message: 'expects an object' }
    return first(value, (name, item) => check(item, joined(path, name)))
  }
}

function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path))
}

function first<Value>(
  items: Readonly<Record<string, Value>>,
  check: (name: string, item: Value) => Fault | undefined,
): Fault | undefined {
  for (const [name, item] of Object.entries(items)) {
    const fault = check(name, item)
    if (fault !== undefined) return fault
  }
  return undefined
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
