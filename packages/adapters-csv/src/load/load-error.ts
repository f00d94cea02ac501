/** Why a file cannot be a table; the message says where. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}
