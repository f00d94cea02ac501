import { applicationTests } from './application-tests.ts'

// A table with a reference to a missing table: SQLite refuses writes to it.
applicationTests('sqlite', [/"dangling" .*A table relies on something that is not there/])
