/** What a value can be: a small language that TypeScript and zod both can spell. */
export type Shape =
  | { readonly kind: 'unknown' | 'never' | 'null' | 'boolean' | 'number' | 'string' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly item: Shape }
  | { readonly kind: 'tuple'; readonly items: readonly Shape[]; readonly rest: Shape | undefined }
  | {
      readonly kind: 'object'
      readonly properties: readonly ShapeProperty[]
      /** Of keys that are not listed; undefined: there are none. */
      readonly others: Shape | undefined
    }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly Shape[] }
  /** Of a definition, by its name in the generated file. */
  | { readonly kind: 'reference'; readonly name: string }

export interface ShapeProperty {
  readonly name: string
  readonly shape: Shape
  readonly isOptional: boolean
  readonly description: string | undefined
}

/** A shape with a name of its own, for what refers to it. */
export interface Definition {
  readonly name: string
  readonly shape: Shape
}

export const unknownShape: Shape = { kind: 'unknown' }
export const neverShape: Shape = { kind: 'never' }
export const nullShape: Shape = { kind: 'null' }

/** One of several; what is said twice is said once, and whatever is said beside `unknown` does not matter. */
export function union(members: readonly Shape[]): Shape {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]))
  const known = flat.filter(({ kind }) => kind !== 'never')
  if (known.some(({ kind }) => kind === 'unknown')) return unknownShape
  return combined('union', known) ?? neverShape
}

/** All of several. */
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
