import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buildPackages } from './build-packages.ts'
import { packPackage } from './pack-package.ts'
import { type Registry, startRegistry } from './registry.ts'
import { publishablePackages } from './workspace.ts'

/** Builds and packs every package of this repository, and serves them like published ones. */
export async function publishLocally(): Promise<Registry> {
  const packages = publishablePackages()
  await buildPackages(packages)
  const tarballs = await Promise.all(packages.map(packPackage))
  try {
    return await startRegistry(tarballs)
  } finally {
    await Promise.all(tarballs.map((path) => rm(dirname(path), { recursive: true })))
  }
}
