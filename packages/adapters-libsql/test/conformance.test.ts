import { adapterConformance } from '@engine/adapter-conformance'
import { createLibsqlFixture } from '@engine/fixtures'
import { startLibsql } from '@engine/test-databases'
import { describeLibsql } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { refusedByLibsql } from './support/refused-by-libsql.ts'

/** Without functions of ours there is only one way to make a statement fail on purpose, for any error. */
const withoutReason: ReadonlySet<string> = new Set([
  'a division by zero has its SQLSTATE',
  'two rows for one value has its SQLSTATE',
])

describeLibsql('conformance', () => {
  adapterConformance(
    'libSQL',
    async () => {
      const server = await startLibsql()
      const fixture = await createLibsqlFixture(server.url)
      return {
        connection: server.url,
        adapterPackage: '@engine/adapters-libsql',
        connect,
        kind: 'sqlite',
        reset: fixture.reset,
        remove: async () => {
          fixture.close()
          await server.stop()
        },
      }
    },
    { refused: refusedByLibsql, inapplicable: withoutReason },
  )
})
