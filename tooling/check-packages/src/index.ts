/** @module Which packages are published, the content of each tarball, and what users install with it. */
export { buildPackages } from './build-packages.ts'
export { type EntryPoint, publicEntryPoints } from './entry-points.ts'
export { packPackage } from './pack-package.ts'
export { createProject, type Project } from './project.ts'
export {
  createReader,
  type Declaration,
  type PublicExport,
  publicExports,
  type SourceFile,
} from './public-exports.ts'
export { publishLocally } from './publish-locally.ts'
export { type Registry, startRegistry } from './registry.ts'
export { type Outcome, projectEnvironment, runFile, runInProject } from './run-in-project.ts'
export { checkTypes } from './type-check.ts'
export { unpackedBytes } from './unpacked-bytes.ts'
export { publishablePackages, repositoryRoot, type WorkspacePackage } from './workspace.ts'
