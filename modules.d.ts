declare module 'fs-native-extensions' {
  /** Locks an open file; false while another process has it. Throws the system's error. */
  export function tryLock(file: number): boolean
}
declare module '*/build.mjs' {
  export function isBuilt(): boolean
}
declare module '*/env-file.mjs' {
  export function loadSettings(args: readonly string[], into?: Record<string, string | undefined>): string[]
  export function trustAuthorities(path: string | undefined, before: string | undefined): void
  export function mergeSettings(text: string, changes: Record<string, string>): string
}
