/** Ends a `switch` over a union: the compiler proves that nothing is left; at run time it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`)
}
