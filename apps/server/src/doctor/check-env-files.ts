import { envFilesOf } from '../reload/env-file.ts'
import { type Finding, ok } from './finding.ts'

/** Which variables come from which file `.env`: names, never values. */
export function checkEnvFiles(environment: NodeJS.ProcessEnv): readonly Finding[] {
  return envFilesOf(environment)
    .filter(({ sets, ignored }) => sets.length + ignored.length > 0)
    .map(({ path, sets, ignored }) => {
      const set = `${path} sets ${sets.length === 0 ? 'nothing' : sets.join(', ')}`
      const elsewhere = 'the environment, or a .env nearer to the configuration, sets'
      return ok('.env', ignored.length === 0 ? set : `${set}; ${elsewhere} ${ignored.join(', ')}`)
    })
}
