import { describePostgres } from '@engine/test-databases/vitest'
import { initTests } from './init-tests.ts'

describePostgres('on PostgreSQL', () => initTests('postgres'))
