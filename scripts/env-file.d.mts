export function loadEnvFile(path?: string): void
export function takeEnvFile(args: readonly string[], into?: Record<string, string | undefined>): string[]
export function settingsIn(text: string): Record<string, string>
