export function failWhenUnreachable(error: unknown): never {
  throw new Error('the database was there', { cause: error })
}
