import { applicationTests } from './application-tests.ts'

// A table that refers to one that is not there: SQLite writes to it no more.
applicationTests('sqlite', [/"dangling" .*A table relies on something that is not there/])
