import { createTypeSystem, oids, unreachable, type ValueSource } from '@engine/core/adapter'

/**
 * The form in which a value is sent to the server. `real`: a number of 32 bits. `document`: JSON that the server stores in a binary form. `step`: the kept rows
 * of an earlier step.
 */
export type ParameterKind =
  | {
      readonly kind:
        | 'integer'
        | 'boolean'
        | 'decimal'
        | 'real'
        | 'float'
        | 'bytes'
        | 'moment'
        | 'document'
        | 'text'
    }
  | { readonly kind: 'array'; readonly element: ParameterKind }
  | { readonly kind: 'step'; readonly step: number }

/** The form of a parameter that the server parses as JSON: see `held-json.ts`. */
export const documentForm = 'document'

/** The server has no types of its own that a parameter could have. */
const types = createTypeSystem()

export function parameterKindOf(source: ValueSource): ParameterKind {
  switch (source.from) {
    case 'request':
      return source.form === documentForm ? { kind: 'document' } : kindOfType(source.type.oid)
    case 'constant':
    case 'requestTime':
      return kindOfType(source.type.oid)
    case 'caller':
      return kindOfType(source.slot.type.oid)
    case 'clampedLimit':
      return { kind: 'integer' }
    case 'step':
      return { kind: 'step', step: source.step }
    default:
      return unreachable(source)
  }
}

function kindOfType(oid: number): ParameterKind {
  const wire = types.wireKind(oid)
  switch (wire.kind) {
    case 'boolean':
    case 'bytes':
    case 'decimal':
    case 'integer':
      return { kind: wire.kind }
    case 'float':
      return { kind: types.baseTypeOid(oid) === oids.float4 ? 'real' : 'float' }
    case 'bigint':
      return { kind: 'integer' }
    case 'json':
      return { kind: 'text' }
    case 'text':
      return { kind: moments.has(types.baseTypeOid(oid)) ? 'moment' : 'text' }
    case 'array':
      return {
        kind: 'array',
        element: kindOfType(types.elementTypeOid(oid) ?? oids.text),
      }
    default:
      return unreachable(wire)
  }
}

const moments: ReadonlySet<number> = new Set([oids.date, oids.timestamp, oids.timestamptz])
