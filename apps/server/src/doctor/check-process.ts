import { type Finding, fault, ok, warning } from './finding.ts'

/** Oldest Node.js version that runs the sources. */
const oldest = { major: 22, minor: 18 }

/** @param version `process.versions.node` */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOldEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor)
  if (!isOldEnough) {
    return fault('node', `Node.js ${version} is too old: ${oldest.major}.${oldest.minor} or later`)
  }
  return major % 2 === 1
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
