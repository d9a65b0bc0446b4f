declare module 'fs-native-extensions' {
  /** Locks an open file. Returns false while another process has the lock, and throws the system's other errors. */
  export function tryLock(fileDescriptor: number): boolean
}
declare module '*/build.mjs' {
  export function isBuilt(): boolean
}
declare module '*/env-file.mjs' {
  export function loadSettings(args: readonly string[], into?: Record<string, string | undefined>): string[]
  export function trustAuthorities(path: string | undefined): void
  export function mergeSettings(text: string, changes: Record<string, string>): string
}
