/** Replaces `onUnreachable` and `warn` in tests in which the database must not fail. */
export function failWhenUnreachable(error: unknown): never {
  throw new Error('the database failed, which this test does not expect', { cause: error })
}
