/** Names of tables, as the database spells them. */
export interface TableSelection {
  /** Only these tables; undefined = all. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** Returns whether a table is shown. */
export function isSelected(name: string, { include, exclude }: TableSelection): boolean {
  return (include === undefined || include.includes(name)) && !exclude?.includes(name)
}
