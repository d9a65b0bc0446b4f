/* Choices and limits for browsers, too, which must not load zod for them. */

export const ROLES = ['staff', 'manager', 'admin'] as const
export const IDLE_HOURS: Readonly<Record<(typeof ROLES)[number], number>> = { staff: 8, manager: 8, admin: 1 }
/** The `device` of a session is this if its program does not name itself. */
export const UNKNOWN_DEVICE = '?'

/** For these reasons a new password is refused; `intag-reason` and `reason` of the 400 give them. */
export const PASSWORD_FAULTS = ['too-short', 'too-long', 'common', 'context'] as const
export type PasswordFault = (typeof PASSWORD_FAULTS)[number]

/** Either Intag sends a school's mail, or the mail opens in the program that the staff use. */
export const MAIL_WAYS = ['intag', 'program', 'outlook', 'gmail'] as const
export type MailWay = (typeof MAIL_WAYS)[number]

export const FILE_FORMATS = ['xlsx', 'csv', 'vcf'] as const
export const EXPORT_PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer', 'other'] as const
export const MAX_NOTE_LENGTH = 5_000
export const MAX_REPLY_LENGTH = { subject: 200, body: 20_000 } as const
export const MAX_TEMPLATE_LENGTH = { name: 80, subject: 200, body: 4_000 } as const

/** The same characters are the same password, however a keyboard puts them together (NIST SP 800-63B-4, 3.1.1.2). */
export function normalizePassword(password: string): string {
  return password.normalize('NFC')
}

const PASSWORD_LENGTH = { min: 12, max: 200 }

/** Each code point counts as one character, and no rule restricts which ones (NIST SP 800-63B-4, 3.1.1.2). */
export function findLengthFault(password: string): 'too-short' | 'too-long' | null {
  const { length } = Array.from(normalizePassword(password))
  if (length < PASSWORD_LENGTH.min) return 'too-short'
  return length > PASSWORD_LENGTH.max ? 'too-long' : null
}
