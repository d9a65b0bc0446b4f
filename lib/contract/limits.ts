/* Browsers know these rules and choices, so the file does without zod. */

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

/** The length counts characters as a person does. No other rule is for characters (NIST SP 800-63B-4, 3.1.1.2). */
export function findLengthFault(password: string): 'too-short' | 'too-long' | null {
  const { length } = Array.from(normalizePassword(password))
  if (length < 12) return 'too-short'
  return length > 200 ? 'too-long' : null
}
