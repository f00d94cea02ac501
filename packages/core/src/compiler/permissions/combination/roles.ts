/**
 * Does a permission apply to a caller? Role names are compared exactly; `*` stands for every caller who has proven who
 * they are, and never for a role.
 */
export function applies(
  granted: readonly string[],
  roles: readonly string[],
  isAuthenticated: boolean,
): boolean {
  return granted.some((role) => (role === '*' ? isAuthenticated : roles.includes(role)))
}
