import 'server-only'

/** For parts that go on without a database: in these tests it is there, so not to reach it is a fault. */
export function failWhenUnreachable(error: unknown): never {
  throw new Error('the database was there', { cause: error })
}
