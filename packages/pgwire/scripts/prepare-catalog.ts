/**
 * @module Writes `data/catalog.tar.gz`: the data directory that every embedded PostgreSQL starts from. Run it again when
 * @electric-sql/pglite moves on, or the SQL: `pnpm prepare-catalog`.
 */
import { writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { preparedDatabase, preparedDigest } from '../src/catalog/pglite/prepared-database.ts'
import { startParams } from '../src/catalog/pglite/start-params.ts'

/** The objects are given their numbers: for that PostgreSQL runs as it does for its clients. */
const numbered = await PGlite.create({
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...startParams],
})
await numbered.exec(`${preparedDatabase}
  comment on schema pg_catalog is 'system catalog schema, prepared as ${preparedDigest()}'`)
const prepared = await numbered.dumpDataDir('none')
await numbered.close()

/** Keeps the directory small: one database, WAL segments of 1 MB, no dead rows in any table. */
const database = await PGlite.create({ loadDataDir: prepared })
for (const command of ['drop database template0', 'drop database template1', 'vacuum full']) {
  await database.exec(command)
}
// The log is not needed: the second checkpoint removes it.
await database.exec('select pg_switch_wal()')
await database.exec('checkpoint')
await database.exec('select pg_switch_wal()')
await database.exec('checkpoint')
const archive = await database.dumpDataDir('gzip')
const target = new URL('../data/catalog.tar.gz', import.meta.url)
await writeFile(target, Buffer.from(await archive.arrayBuffer()))
await database.close()
process.stdout.write(`${target.pathname}: ${archive.size} bytes\n`)
