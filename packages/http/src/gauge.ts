/** @module A number that is read when the metrics are requested. */

export interface GaugeDefinition {
  /** `engine_…` */
  readonly name: string
  readonly help: string
  /** Names of labels, in the form that `read` returns. */
  readonly labels?: readonly string[]
  read(): readonly GaugeValue[]
}

export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}
