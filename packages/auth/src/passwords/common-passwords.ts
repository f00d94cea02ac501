/** @module Common passwords, which attackers try first. */

let list: Promise<ReadonlySet<string>> | undefined

/**
 * The passwords of at least 8 characters among the most common ones, in lower case: some 18 000, from the list of
 * zxcvbn-ts. Loaded at first use.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList()
  return (await list).has(password.toLowerCase())
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= 8))
}
