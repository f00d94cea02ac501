import { describeMysql } from '@engine/test-databases/vitest'
import { initTests } from './init-tests.ts'

describeMysql('mariadb', 'on MariaDB', () => initTests('mysql'))
