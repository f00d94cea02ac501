/** @module The words of a refusal, short enough for a cell. */

const rules: readonly (readonly [pattern: RegExp, short: string])[] = [
  [/^function .* does not exist$/, 'not offered'],
  [/^function .* is not available here$/, 'not offered'],
  [/^operator does not exist: .*$/, 'not offered'],
  [/^operator is not available here: .*$/, 'not offered'],
  [/^.* is not supported: (.*)$/, '$1'],
  [/^the (?:ordered-set )?aggregate .* is not supported on .*$/, 'no equivalent'],
  [/^constraint ".*" for table ".*" does not exist$/, 'constraints have no names there'],
  [/^Column ".*" of ".*" does not exist.*$/, 'no columns of this type'],
  [/^type "(.*)" does not exist$/, 'the type is not offered'],
  [/^the function .* is not supported on .*$/, 'no equivalent'],
  [/^the function .* in FROM is not supported on .*$/, 'not in FROM'],
  [/^the operator .* is not supported on .*$/, 'no equivalent'],
  [/^the type (.*) is not supported on .*$/, 'no type $1'],
  [/^The database does not support this\.$/, 'no equivalent'],
  [/^a cast from .* to .* is not supported on .*$/, 'no such cast'],
  [/^a comparison of this type is not supported on .*$/, 'no comparison of the type'],
  [/^(.*) is not supported on .*$/, '$1'],
  [/^(.*) is not supported$/, '$1'],
]

export function shortReason(words: string): string {
  for (const [pattern, short] of rules) {
    if (pattern.test(words)) return words.replace(pattern, short)
  }
  return words
}
