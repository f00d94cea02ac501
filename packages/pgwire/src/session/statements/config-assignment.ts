/** One call of set_config among the results of a SELECT. */
export interface ConfigAssignment {
  readonly name: ConfigArgument
  /** NULL: the setting's initial value. */
  readonly value: ConfigArgument
  readonly isLocal: ConfigArgument
}

/** Text of a literal, or a parameter: `number` 1 is `$1`. */
export type ConfigArgument =
  | { readonly kind: 'literal'; readonly text: string | null }
  | { readonly kind: 'parameter'; readonly number: number }
