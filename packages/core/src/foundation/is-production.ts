/** The value of `NODE_ENV`, if an application that embeds the engine sets no option: production refuses unsafe settings. */
export function isProductionMode(): boolean {
  // biome-ignore lint/style/noProcessEnv: the one place; a default that an option replaces
  return process.env['NODE_ENV'] === 'production'
}
