import { describePostgres } from '@engine/test-databases/vitest'
import { applicationTests } from './application-tests.ts'

describePostgres('applications', () =>
  applicationTests('postgres', [
    // The database's own types support equality, but not sorting.
    /could not identify an ordering operator for type (address|span_of_money)/,
  ]),
)
