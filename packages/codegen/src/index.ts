/** @module From `GET /schema` to TypeScript. Start at `generate`; the program is `engine-codegen`. */
export { type Format, formats, type GenerateOptions, generate } from './format.ts'
