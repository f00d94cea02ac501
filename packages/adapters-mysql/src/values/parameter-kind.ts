import type { ValueSource } from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { parameterKindOf as kindOfSource, type ParameterKind } from '@engine/core/values'

/** The form of a parameter that the server parses as JSON: see `held-json.ts`. */
export const documentForm = 'document'

/** The server has no types of its own that a parameter could have. */
const types = createTypeSystem()

/** The form in which a value is sent to the server. A `document` is JSON that the server stores in a binary form. */
export function parameterKindOf(source: ValueSource): ParameterKind {
  return source.from === 'request' && source.form === documentForm
    ? { kind: 'document' }
    : kindOfSource(source, types)
}
