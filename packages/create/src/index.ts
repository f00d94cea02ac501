/** @module A new folder for a server: what `npm create @engine` writes before it installs. Start at `createFolder`. */
export { createFolder, type NewFolder } from './create-folder.ts'
