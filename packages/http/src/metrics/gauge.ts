/** @module A number that is read when the metrics are requested. */

export interface GaugeDefinition {
  /** `engine_…` */
  readonly name: string
  readonly help: string
  /** Names of labels, in the form that `read` returns. */
  readonly labels?: readonly string[]
  /** The value of several processes that serve the same configuration. Default `sum`. */
  readonly together?: 'sum' | 'max' | 'min' | 'first'
  read(): readonly GaugeValue[]
}

export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}
