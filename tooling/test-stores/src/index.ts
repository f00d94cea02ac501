/** @module The service database on each kind of database, for tests. */
export {
  eachStore,
  type OpenTestStore,
  openMysqlStore,
  openPostgresStore,
  openSqliteStore,
  serviceDatabases,
  type TestStore,
} from './each-store.ts'
