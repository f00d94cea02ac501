import { tooOldNode } from '../process/node-version.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** @param version `process.versions.node` */
export function checkNode(version: string): Finding {
  const problem = tooOldNode(version)
  if (problem !== undefined) return fault('node', problem)
  return Number(version.split('.')[0]) % 2 === 1
    ? warning('node', `Node.js ${version} gets no long-term support: take an even version`)
    : ok('node', `Node.js ${version}`)
}

/** @param mode `process.env.NODE_ENV` */
export function checkMode(mode: string | undefined): Finding {
  return mode === 'production'
    ? ok('NODE_ENV', 'production')
    : warning(
        'NODE_ENV',
        `${mode ?? 'not set'}: development mode tells clients details of errors; set it to production`,
      )
}
