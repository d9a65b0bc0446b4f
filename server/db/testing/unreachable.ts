import 'server-only'

/** In tests the database is there. */
export function failWhenUnreachable(error: unknown): never {
  throw new Error('the database was there', { cause: error })
}
