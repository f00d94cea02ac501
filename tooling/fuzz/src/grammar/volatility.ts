/** How volatile functions are used. */
export interface Volatility {
  /** How likely an expression is one of them, in percent. */
  readonly percent: number
  /** What they decide is the same each time: answers can be compared. */
  readonly isSteady: boolean
  /** `clock_timestamp()` is among them. */
  readonly hasClock: boolean
}
