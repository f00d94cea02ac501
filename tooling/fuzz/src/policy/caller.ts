import type { Caller } from '@engine/core'
import type { TypeName } from '../grammar/types.ts'
import type { Random } from '../random.ts'

/** Fields of a caller that policies use, with the types that they can be compared with. */
export const callerFields: Readonly<
  Record<string, { readonly type: TypeName; readonly value: unknown }>
> = {
  level: { type: 'int4', value: 2 },
  small: { type: 'int4', value: 1 },
  name: { type: 'text', value: 'a' },
  flag: { type: 'bool', value: true },
  price: { type: 'numeric', value: 1.25 },
  since: { type: 'date', value: '2024-01-31' },
  big: { type: 'int8', value: 12 },
}

/** Lists of the caller. */
export const callerLists: Readonly<
  Record<string, { readonly type: TypeName; readonly value: readonly unknown[] }>
> = {
  levels: { type: 'int4', value: [1, 2, 3, 10] },
  names: { type: 'text', value: ['a', 'b', "o'k"] },
  none: { type: 'int4', value: [] },
}

/** Roles of a policy. */
export const roleNames: readonly string[] = ['reader', 'clerk', 'boss']

/** A caller with one or two of the roles, who sometimes lacks a field. */
export function randomCaller(random: Random): Caller {
  const roles = random.some(roleNames, 1).slice(0, 2)
  const fields = Object.entries({ ...callerFields, ...callerLists }).filter(() => random.chance(85))
  return {
    kind: 'user',
    id: 'caller',
    roles,
    fields: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
  }
}
