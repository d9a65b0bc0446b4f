export function makeNewDatabase(build: string): void
export function placeNewDatabase(dataDir: string, build: string): void
export function packed(folder: string): Buffer
