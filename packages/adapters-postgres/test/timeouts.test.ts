import { serverTimeouts } from '@engine/adapter-conformance'
import { describePostgres } from '@engine/test-databases/vitest'
import { openPostgresServer, postgresDialect } from './support/server.ts'

describePostgres('timeouts and cancellation', () => {
  serverTimeouts(postgresDialect, () => openPostgresServer('timeouts'))
})
