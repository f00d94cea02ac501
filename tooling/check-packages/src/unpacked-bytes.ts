import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Bytes of the files in a tarball. */
export async function unpackedBytes(tarball: string): Promise<number> {
  const options = { encoding: 'buffer', maxBuffer: 512 * 1024 * 1024 } as const
  return (await run('tar', ['-xzOf', tarball], options)).stdout.length
}
