/** The possible types of a value: a small language that both TypeScript and zod can express. */
export type Shape =
  | { readonly kind: 'unknown' | 'never' | 'null' | 'boolean' | 'number' | 'string' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly item: Shape }
  | { readonly kind: 'tuple'; readonly items: readonly Shape[]; readonly rest: Shape | undefined }
  | {
      readonly kind: 'object'
      readonly properties: readonly ShapeProperty[]
      /** Type of keys that are not listed; undefined: there are none. */
      readonly others: Shape | undefined
    }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly Shape[] }
  /** Name of a definition in the generated file. */
  | { readonly kind: 'reference'; readonly name: string }

export interface ShapeProperty {
  readonly name: string
  readonly shape: Shape
  readonly isOptional: boolean
  readonly description: string | undefined
}

/** A shape with a name, so that others can refer to it. */
export interface Definition {
  readonly name: string
  readonly shape: Shape
}

export const unknownShape: Shape = { kind: 'unknown' }
export const neverShape: Shape = { kind: 'never' }
export const nullShape: Shape = { kind: 'null' }

/** One of several; duplicates are removed, and `unknown` absorbs all others. */
export function union(members: readonly Shape[]): Shape {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]))
  const known = flat.filter(({ kind }) => kind !== 'never')
  if (known.some(({ kind }) => kind === 'unknown')) return unknownShape
  return combined('union', known) ?? neverShape
}

/** All of several: an intersection. */
export function intersection(members: readonly Shape[]): Shape {
  const flat = members.flatMap((member) =>
    member.kind === 'intersection' ? member.members : [member],
  )
  if (flat.some(({ kind }) => kind === 'never')) return neverShape
  const known = flat.filter(({ kind }) => kind !== 'unknown')
  return combined('intersection', known) ?? unknownShape
}

function combined(kind: 'union' | 'intersection', members: readonly Shape[]): Shape | undefined {
  const distinct = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
  return distinct.length > 1 ? { kind, members: distinct } : distinct[0]
}
