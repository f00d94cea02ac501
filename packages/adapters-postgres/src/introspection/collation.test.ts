import { expect, test } from 'vitest'
import { databaseCollation } from './collation.ts'

test.each([
  [{ datlocprovider: 'c', datcollate: 'C.UTF-8' }, undefined],
  [{ datlocprovider: 'c', datcollate: 'C' }, undefined],
  [{ datlocprovider: 'c', datcollate: 'POSIX' }, undefined],
  [{ datlocprovider: 'c', datcollate: 'en_US.UTF-8' }, 'en_US.UTF-8'],
  [{ datlocprovider: 'b', datcollate: 'en_US.UTF-8', datlocale: 'C.UTF-8' }, undefined],
  [{ datlocprovider: 'i', datcollate: 'C', daticulocale: 'de' }, 'de'],
  [{ datlocprovider: 'i', datcollate: 'C', datlocale: 'de-u-co-phonebk' }, 'de-u-co-phonebk'],
  [{ datcollate: 'sv_SE' }, 'sv_SE'],
])('%j: %s', (database, collation) => {
  expect(databaseCollation(database)).toBe(collation)
})
