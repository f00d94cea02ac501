/** @module What published packages export, with comments: for the reference of the documentation. */
export { type EntryPoint, publicEntryPoints } from './entry-points.ts'
export {
  createReader,
  type Declaration,
  type PublicExport,
  publicExports,
  type SourceFile,
} from './public-exports.ts'
