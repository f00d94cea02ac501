/** @module A process that asks a catalog something without end, and says which process answers. */
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
