import type { ApiError } from '../../api/http.ts'

/** The column that an error is about: the only one that was written, or the one that it names. */
export function faultOf(
  error: ApiError | null,
  written: readonly string[],
): { readonly column: string; readonly message: string } | undefined {
  if (error === null) return undefined
  const position = /^Parameter \$(\d+)/.exec(error.message)?.[1]
  const named = written.filter((column) => error.message.includes(`"${column}"`))
  const column =
    position !== undefined
      ? written[Number(position) - 1]
      : written.length === 1
        ? written[0]
        : named.length === 1
          ? named[0]
          : undefined
  return column === undefined ? undefined : { column, message: `${error.message} (${error.code})` }
}
