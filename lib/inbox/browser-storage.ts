export function tryStore(storage: Storage, key: string, text: string): void {
  try {
    storage.setItem(key, text)
  } catch {
    // The storage may be full or forbidden. What is on screen does not depend on it.
  }
}

export function listKeys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

export function removeKeys(storage: Storage, matches: (key: string) => boolean): void {
  for (const key of listKeys(storage).filter(matches)) storage.removeItem(key)
}
