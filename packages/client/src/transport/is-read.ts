const doubtful = /\b(insert|update|delete|merge|into|call|nextval|setval)\b/i

/**
 * Returns whether a statement can be repeated without a second effect. Only certain reads are: a statement that
 * contains a word of a write anywhere, even in a text, is not.
 */
export function isRead(sql: string): boolean {
  return /^[\s(]*(select|with|values|table)\b/i.test(sql) && !doubtful.test(sql)
}
