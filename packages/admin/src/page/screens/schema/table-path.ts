/** `main.auth.users` → `main/auth.users`, encoded for an address. */
export function tablePath(table: string): string {
  const dot = table.indexOf('.')
  return [table.slice(0, dot), table.slice(dot + 1)].map(encodeURIComponent).join('/')
}
