/** Oldest version of Node.js that runs the program. */
const oldest = { major: 22, minor: 18 }

/**
 * @param version `process.versions.node`
 * @returns undefined where it is recent enough.
 */
export function tooOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
    ? undefined
    : `Node.js ${version} is too old: ${oldest.major}.${oldest.minor} or later`
}
