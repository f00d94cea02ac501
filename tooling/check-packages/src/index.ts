/** @module Which packages are published, the content of each tarball, and what users install with it. */
export { buildPackages } from './build-packages.ts'
export { packPackage } from './pack-package.ts'
export {
  createProject,
  emptyProject,
  install,
  type PackageManager,
  type Project,
  registryEnvironment,
} from './project.ts'
export { publishLocally } from './publish-locally.ts'
export { type Registry, startRegistry } from './registry.ts'
export { type LaterRelease, type ReleaseRegistry, releaseLocally } from './release-locally.ts'
export { type Outcome, projectEnvironment, runFile, runInProject } from './run-in-project.ts'
export { checkTypes, type ModuleResolution } from './type-check.ts'
export { unpackedBytes } from './unpacked-bytes.ts'
export { publishablePackages, repositoryRoot, type WorkspacePackage } from './workspace.ts'
