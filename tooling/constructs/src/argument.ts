/** @module Arguments by type: a column where the database has one, otherwise a value of the type. */
import type { Form } from './construct.ts'
import { pseudoTypes, type SampleType, sampleTypes } from './sample-values.ts'

const byName: ReadonlyMap<string, SampleType> = new Map(
  sampleTypes.map((each) => [each.name, each]),
)

/** Values of the server's own types, which no table of a user has. */
const literals: ReadonlyMap<string, string> = new Map([
  ['regconfig', `'simple'`],
  ['regdictionary', `'simple'`],
  ['cstring', `'a'`],
  ['unknown', `'a'`],
  ['record', 'row(1, 2)'],
])

/**
 * @param alias of the row of `samples`.
 * @param choice which type stands for a pseudo-type, 0 or 1.
 * @returns undefined: no value of the type can be written for this form.
 */
export function argumentOf(
  type: string,
  alias: string,
  { form, choice }: { readonly form: Form; readonly choice: number },
): string | undefined {
  const concrete = pseudoTypes.get(type)?.[choice] ?? type
  const sample = byName.get(concrete)
  if (sample === undefined) return literals.get(concrete) ?? `cast(null as ${typeName(concrete)})`
  if (form === 'full' || sample.portable === undefined) return `${alias}.c_${concrete}`
  if (sample.portable === '') return undefined
  return sample.portable.replaceAll('a.', `${alias}.`)
}

/** Does every database have columns of the type? */
export function isPortable(type: string): boolean {
  const sample = byName.get(type)
  return sample !== undefined && sample.portable === undefined
}

export function isSampled(type: string): boolean {
  return byName.has(type)
}

/** `_int4`: `int4[]`. */
export function typeName(type: string): string {
  if (type.startsWith('_')) return `${typeName(type.slice(1))}[]`
  return type === 'char' ? '"char"' : type === 'bpchar' ? 'char(5)' : type
}
