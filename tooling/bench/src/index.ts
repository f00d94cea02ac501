/** @module Micro-benchmarks and load comparisons. */
export {}
