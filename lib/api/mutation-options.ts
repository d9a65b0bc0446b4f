/** Mutations with this scope (changes of leads, mails, notes) are sent one after the other, in the user's order. */
export const SERIAL_MUTATION = { scope: { id: 'triage' } } as const

/** Creates an idempotency key: the server carries a request with this key out once, however often it arrives. */
export function createIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
