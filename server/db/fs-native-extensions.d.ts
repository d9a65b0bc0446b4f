declare module 'fs-native-extensions' {
  /** Locks the whole of an open file for its description alone; false while another has it. Throws the system's error. */
  export function tryLock(file: number): boolean
}
