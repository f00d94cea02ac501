/** @module Relations as a configuration names and adds them. */

/** A new name for a found relation, or a relation that no foreign key declares; the other table gets its reverse, too. */
export type RelationshipConfig =
  | { readonly rename: string }
  | {
      /** In the same database: `orders` or `<connection>.orders`. */
      readonly table: string
      readonly type: 'one-to-one' | 'one-to-many' | 'many-to-one'
      readonly from: string | readonly string[]
      readonly to: string | readonly string[]
      readonly through?: undefined
    }
  | {
      readonly table: string
      readonly type: 'many-to-many'
      readonly from: string | readonly string[]
      readonly to: string | readonly string[]
      /** The table between the two: its columns that equal `from`, and those that equal `to`. */
      readonly through: {
        readonly table: string
        readonly from: string | readonly string[]
        readonly to: string | readonly string[]
      }
    }
