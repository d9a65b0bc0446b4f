import type { LeadItem } from '@/lib/api/leads'
import { toPlainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import { readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'

export type ReplyChannel = 'mail' | 'call'

/** Finds the usable e-mail and phone. `preferred` is mail if usable, unless the person asked for a call. */
export function findReplyChannels(item: LeadItem) {
  const { email: rawEmail, phone: rawPhone } = readEmailAndPhone(item)
  const email = (rawEmail && toPlainEmail(rawEmail)) || null
  // What looks like a personal identity number is no phone.
  const phone = rawPhone !== null && isLikePersonalNumber(rawPhone) ? null : rawPhone
  const wantsCall = isQuestion(item) && item.sender.mode === 'phone' && phone !== null
  const preferred: ReplyChannel = email === null || wantsCall ? 'call' : 'mail'
  return { email, phone, preferred }
}
