import type { Construct } from './construct.ts'
import { functionConstruct } from './function-constructs.ts'
import { grammarConstructs } from './grammar/chapters.ts'
import { castConstruct, operatorConstruct, typeConstructs } from './other-constructs.ts'
import type { CatalogObjects } from './read-objects.ts'

/** Every construct of the grammar, and of the catalogs of a PostgreSQL. */
export function allConstructs(objects: CatalogObjects): readonly Construct[] {
  return [
    ...grammarConstructs(),
    ...objects.types.flatMap(typeConstructs),
    ...objects.operators.map(operatorConstruct),
    ...objects.functions.map(functionConstruct),
    ...objects.casts.map(castConstruct),
  ]
}
