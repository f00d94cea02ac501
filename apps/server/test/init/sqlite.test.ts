import { initTests } from './init-tests.ts'

initTests('sqlite')
