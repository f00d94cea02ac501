import { describeMysql } from '@engine/test-databases/vitest'
import { initTests } from './init-tests.ts'

describeMysql('on MariaDB', () => initTests('mysql'))
