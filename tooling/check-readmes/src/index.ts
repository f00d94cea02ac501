/** @module Finds and runs the examples of a README. */
export { type Example, findExamples } from './find-examples.ts'
export { findImports, findInstall } from './find-install.ts'
export { findMarkedFiles, type MarkedFile } from './find-marked-files.ts'
export { findRecipes, type Recipe } from './find-recipes.ts'
export { type HostAnswer, type HostProcess, type Question, startHost } from './host-process.ts'
export { runExample } from './run-example.ts'
export { runtimePath } from './runtimes.ts'
