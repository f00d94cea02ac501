/** @module Writes a new recording and the page: `pnpm record`. A minute on a quiet machine. */

import { writeFileSync } from 'node:fs'
import {
  createDatabase,
  createMysqlDatabase,
  startMysql,
  startPostgres,
} from '@engine/test-databases'
import { openMysql, openPostgres, openSqlite, openTruth } from './open-databases.ts'
import { pagePath, pageText } from './page.ts'
import { tryAll } from './record.ts'
import { readRecording, writeRecording } from './recording.ts'

const servers = await Promise.all([startPostgres(), startMysql('mariadb'), startMysql('mysql')])
const [postgres, mariadb, mysql] = servers
try {
  const url = await createDatabase(postgres.url, 'constructs')
  const truth = await openTruth(url)
  const databases = [
    await openPostgres(url, truth),
    await openMysql('MariaDB', await createMysqlDatabase(mariadb.url, 'constructs')),
    await openMysql('MySQL', await createMysqlDatabase(mysql.url, 'constructs')),
    await openSqlite(),
  ]
  const { recorded, wrong } = await tryAll(truth, databases, readRecording())
  for (const each of wrong) process.stderr.write(`WRONG ${JSON.stringify(each, undefined, 1)}\n`)
  writeRecording(recorded)
  writeFileSync(pagePath, pageText(recorded))
  process.stdout.write(`${recorded.length} constructs, ${wrong.length} wrong answers\n`)
  for (const database of databases) await database.close()
  await truth.close()
} finally {
  for (const server of servers) await server.stop()
}
