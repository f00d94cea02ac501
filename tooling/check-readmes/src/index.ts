/** @module Finds and runs the examples of a README. */
export { type Example, findExamples } from './find-examples.ts'
export { findImports, findInstall } from './find-install.ts'
export { runExample } from './run-example.ts'
