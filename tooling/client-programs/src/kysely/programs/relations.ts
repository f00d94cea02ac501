import { sql } from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Related rows nested as json, in the form of Kysely's helpers. */
export const relations: readonly Program<Db>[] = [
  read('an object of chosen columns', (db) =>
    db
      .selectFrom('employees as e')
      .select((eb) => [
        'e.id',
        jsonBuildObject({
          first: eb.ref('e.first_name'),
          last: eb.ref('e.last_name'),
          full: eb.fn<string>('concat', ['e.first_name', sql.lit(' '), 'e.last_name']),
          active: eb.ref('e.active'),
          salary: eb.ref('e.salary'),
          hired: eb.ref('e.hired_on'),
        }).as('person'),
      ])
      .orderBy('e.id')
      .execute(),
  ),
]
