import { describePostgres } from '@engine/test-databases/vitest'
import { applicationTests } from './application-tests.ts'

describePostgres('applications', () =>
  applicationTests('postgres', [
    // Types of the database's own are told apart, and not sorted.
    /could not identify an ordering operator for type (address|span_of_money)/,
  ]),
)
