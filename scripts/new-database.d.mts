export function makeNewDatabase(): void
export function placeNewDatabase(dataDir: string, from?: string): void
