export function buildFolder(): string
export function isWhole(folder: string): boolean
export function wholeMark(folder: string): string
export function removeOldBuilds(): void
