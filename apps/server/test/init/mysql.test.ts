import { describeEachMysql } from '@engine/test-databases/vitest'
import { initTests } from './init-tests.ts'

describeEachMysql('configurations', (server) => initTests('mysql', server))
