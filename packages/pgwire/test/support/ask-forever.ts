/** @module A process that sends a catalog an endless query, and prints the id of the process that answers. */
import { ask, runOf, scopeOf } from './ask-catalog.ts'
import { children } from './child-processes.ts'
import { openCatalog } from './open-catalog.ts'

const { catalog } = openCatalog()
await ask(catalog, 'select 1')
const endless = catalog.run(
  runOf('select count(*) from generate_series(1, 1e12)', { timeoutMs: 600_000 }),
  scopeOf(),
)
process.send?.(children()[0])
await endless
