/** Changes of leads, mails and notes have this scope, so that they are sent one after the other. */
export const SERIAL_MUTATION = { scope: { id: 'triage' } } as const

/** The server carries out a request with this key once, however often it arrives. */
export function createIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
