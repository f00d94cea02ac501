/** @module Clients for a whole run of vitest: where the machine has none, a build machine installs them. */
import { installPackages } from '@engine/test-databases'
import {
  lookAgain,
  missingJdbc,
  missingPerlDriver,
  missingPgbench,
  missingPsql,
  missingPythonModule,
} from './find-clients.ts'

/** Called by vitest before the first test. */
export function setup(): void {
  const wanted = [
    missingPsql() && 'postgresql-client',
    missingPgbench() && 'postgresql',
    missingPythonModule('psycopg2', '') && 'python3-psycopg2',
    missingPythonModule('psycopg', '') && 'python3-psycopg',
    missingPythonModule('asyncpg', '') && 'python3-asyncpg',
    missingPythonModule('sqlalchemy', '') && 'python3-sqlalchemy',
    missingPerlDriver() && 'libdbd-pg-perl',
    ...(missingJdbc() === undefined ? [] : ['libpostgresql-jdbc-java', 'default-jdk-headless']),
  ].filter((name) => name !== undefined)
  if (wanted.length > 0 && installPackages(wanted)) lookAgain()
}
