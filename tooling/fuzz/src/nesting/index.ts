/** @module Every printer without a database, and sample arguments for functions: for the reference of the documentation. */
export { type Printer, printers } from './printers.ts'
export { callOf, concrete, sampleOf, typeName } from './shapes.ts'
