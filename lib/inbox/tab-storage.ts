/** The part of `Storage` that is used. */
export type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Removes what lies under some of the keys. */
export function forgetKeys(storage: StorageLike, isMeant: (key: string) => boolean): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys) if (isMeant(key)) storage.removeItem(key)
}
