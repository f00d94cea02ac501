/** @module `pnpm record-versions`: writes the servers of the last run of tests into docs/databases.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readServersOfRun } from '../processes/servers-of-run.ts'
import { mergeServers, type UsedServer, withVersions } from './versions-table.ts'

const recordedFile = new URL('../../recorded/versions.json', import.meta.url)
const page = new URL('../../../../docs/databases.md', import.meta.url)

const recorded = JSON.parse(readFileSync(recordedFile, 'utf8')) as readonly UsedServer[]
const servers = mergeServers(recorded, readServersOfRun())
writeFileSync(recordedFile, `${JSON.stringify(servers, undefined, 2)}\n`)
writeFileSync(page, withVersions(readFileSync(page, 'utf8'), servers))
