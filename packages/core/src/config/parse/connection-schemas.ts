/** @module The option `schemas` of a connection, and the names of the connections that it makes. */
import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import type { ConnectionSettings } from '../settings/settings.ts'

/** Dots separate schemas from tables. */
const schemaName = z
  .string()
  .min(1)
  .regex(/^[^.]*$/, 'expects the name of a schema, without a dot')

function isDistinct(schemas: readonly string[] | Readonly<Record<string, string>>): boolean {
  const names = Object.values(schemas)
  return new Set(names).size === names.length
}

export const schemasInput: z.ZodType<Schemas> = z
  .union([z.array(schemaName).min(1), z.record(z.string(), schemaName)], {
    error: 'expects a list of schemas such as ["public", "auth"], or schemas by connection',
  })
  .refine(isDistinct, { error: 'names a schema twice' })

type Schemas = readonly string[] | Readonly<Record<string, string>>

/** Connections by name, that of the entry first. */
export function membersOf(
  name: string,
  schemas: Schemas | undefined,
  path: string,
  faults: Faults,
): ReadonlyMap<string, string> | undefined {
  if (schemas === undefined || Array.isArray(schemas)) return undefined
  const entries = Object.entries(schemas)
  for (const [member] of entries) addNameFault(member, `${path}.schemas.${member}`, faults)
  const own = entries.find(([member]) => member === name)
  if (own === undefined) {
    faults.add(`${path}.schemas`, `names connections: one of them is "${name}" itself`)
    return undefined
  }
  return new Map([own, ...entries.filter((entry) => entry !== own)])
}

export function addSchemasFaults(
  { schema }: { readonly schema?: string | undefined },
  hasSchemas: boolean,
  path: string,
  faults: Faults,
): void {
  if (!hasSchemas) {
    faults.add(`${path}.schemas`, 'only a PostgreSQL database has several schemas: leave it out')
  } else if (schema !== undefined) {
    faults.add(`${path}.schema`, 'schemas names all of them: leave out schema')
  }
}

export function addNameFault(name: string, path: string, faults: Faults): void {
  const isReserved = name === 'public' || name === 'information_schema' || name.startsWith('pg_')
  if (!/^[a-z][a-z0-9_]*$/.test(name) || isReserved || name.length > 63) {
    const lower = name.toLowerCase()
    const hint = lower !== name && /^[a-z][a-z0-9_]*$/.test(lower) ? `; write "${lower}"` : ''
    faults.add(path, `a name has lower-case letters, digits and _, and is not reserved${hint}`)
  }
}

/** A connection that another entry names as one of its own. */
export function addTwiceNamed(connections: Iterable<ConnectionSettings>, faults: Faults): void {
  const seen = new Set<string>()
  const all = [...connections].flatMap(({ name, members = new Map([[name, '']]) }) =>
    [...members.keys()].map((member) => ({ name, member })),
  )
  for (const { name, member } of all) {
    if (seen.has(member)) {
      faults.add(`connections.${name}`, `the connection "${member}" is configured twice`)
    }
    seen.add(member)
  }
}
