const leastLength = 8
const mostLength = 200

export type PasswordFault = 'tooShort' | 'tooLong' | 'different'

/** The rules of `POST /api/invitations`, told before anything is sent. Length is all that counts (NIST SP 800-63B, 3.1.1.2). */
export function faultOf(password: string, repeated: string): PasswordFault | null {
  if (password.length < leastLength) return 'tooShort'
  if (password.length > mostLength) return 'tooLong'
  return password === repeated ? null : 'different'
}
