/** @module Which packages are published, and what each looks like once packed. */
export { packPackage } from './pack-package.ts'
export { publishablePackages, repositoryRoot, type WorkspacePackage } from './workspace.ts'
