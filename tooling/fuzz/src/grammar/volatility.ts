/** How volatile functions are used. */
export interface Volatility {
  /** Probability that an expression is one of them, in percent. */
  readonly percent: number
  /** Their results decide the same every time: answers can be compared. */
  readonly isSteady: boolean
  /** `clock_timestamp()` is among them. */
  readonly hasClock: boolean
}
