/** What `NODE_ENV` says, where an application embeds the engine and does not say it: production refuses what is unsafe. */
export function isProductionMode(): boolean {
  // biome-ignore lint/style/noProcessEnv: the one place; a default that an option replaces
  return process.env['NODE_ENV'] === 'production'
}
