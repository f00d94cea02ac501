/** @module From `GET /schema` to TypeScript. Start at `generate`; the program is `engine-codegen`. */
export { generate } from './format.ts'
export { type Format, formats, type GenerateOptions } from './generate-options.ts'
