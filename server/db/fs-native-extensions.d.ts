declare module 'fs-native-extensions' {
  /** Locks an open file; false while another process has it. Throws the system's error. */
  export function tryLock(file: number): boolean
}
