/**
 * Does a permission apply to a caller? Role names are compared exactly. `*` matches every authenticated caller, and is never the
 * name of a role.
 */
export function applies(
  granted: readonly string[],
  roles: readonly string[],
  isAuthenticated: boolean,
): boolean {
  return granted.some((role) => (role === '*' ? isAuthenticated : roles.includes(role)))
}
