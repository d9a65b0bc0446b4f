export function makeNewDatabase(build: string): Promise<void>
export function placeNewDatabase(dataDir: string, build: string): void
export function packed(folder: string): Buffer
