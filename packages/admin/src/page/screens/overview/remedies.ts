/** By the beginning of a warning of `GET /admin/api/status`. */
const remedies: readonly (readonly [start: string, remedy: string])[] = [
  [
    'Open mode',
    'Configure `auth` and `permissions`; in production the engine refuses to start like this.',
  ],
  ['No permissions', 'Add a rule under `permissions`, for example { table, roles, select }.'],
  [
    'audit.enabled',
    'Set audit.enabled to true: who did what is then written to the service database.',
  ],
  ['audit.logParams', 'Set audit.logParams to false unless you need the values for a while.'],
  ['audit.piiRedaction', 'Set audit.piiRedaction to true, or leave it out.'],
  ['security.cors', 'List the origins of your applications in security.cors.origin.'],
  ['schemaEndpoint', 'Set schemaEndpoint.token, and pass it to engine-codegen with --token.'],
  ['pgWire.allowPlaintext', 'Set pgWire.tls with a certificate, and remove allowPlaintext.'],
]

/** The way to mend what a warning is about. */
export function remedyOf(warning: string): string {
  const found = remedies.find(([start]) => warning.startsWith(start))
  return found?.[1] ?? 'See the configuration.'
}
