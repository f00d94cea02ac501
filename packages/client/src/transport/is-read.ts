const doubtful = /\b(insert|update|delete|merge|into|call|nextval|setval)\b/i

/**
 * Can a statement be sent again without doing anything twice? Only what is certainly a read is: one that has a word
 * anywhere, be it in a text, that may write is not.
 */
export function isRead(sql: string): boolean {
  return /^[\s(]*(select|with|values|table)\b/i.test(sql) && !doubtful.test(sql)
}
