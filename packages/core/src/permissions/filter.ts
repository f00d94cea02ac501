/**
 * A condition on the rows of one table, as a user writes it. Several keys are AND-ed; `{}` is TRUE.
 *
 * - column operators: `{ status: 'paid' }` (= `$eq`), `$eq $ne $gt $gte $lt $lte $in $nin $between $like $nlike
 *   $ilike $nilike $startsWith $endsWith $contains $isNull $null $notNull`, on arrays and JSON also `$contains
 *   $containedBy $overlaps $hasKey`
 * - nesting: `$and`, `$or`, `$nor` (lists), `$not` (one filter)
 * - values: JSON scalars, `'$user.<field>'`, `{ $col: 'other_column' }`, `{ $now: '-30d' }`, `{ $literal: '$user.x' }`
 * - a caller's field on the left: `{ '$user.level': { $gte: 3 } }`
 * - to-one relation: `{ customer: { city: 'Oslo' } }`; to-many: `{ orders: { $some | $every | $none: {...} } }`
 * - any table: `{ $exists: { table: 'main.members', where: { user_id: '$user.id', team_id: { $outer: 'team_id' } } } }`
 *
 * A missing or null `$user` field makes its condition UNKNOWN (never TRUE, and `$not` keeps it UNKNOWN).
 */
export interface Filter {
  readonly [key: string]: unknown
}
