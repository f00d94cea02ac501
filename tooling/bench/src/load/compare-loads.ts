export async function compareLoads(_: string): Promise<void> {}
