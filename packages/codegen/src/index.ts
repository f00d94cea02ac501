/** @module Generates TypeScript from `GET /schema`. Start at `generate`; the program is `engine-codegen`. */
export { generate } from './format.ts'
export { type Format, formats, type GenerateOptions } from './generate-options.ts'
