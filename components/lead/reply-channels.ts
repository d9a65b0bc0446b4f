import type { LeadItem } from '@/lib/api/leads'
import { toPlainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import { readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'

export type Channel = 'mail' | 'call'

/** Finds the address and the phone that can be used, and the channel to offer first: the one the person asked for. */
export function findReplyChannels(item: LeadItem) {
  const { email: writtenEmail, phone: writtenPhone } = readEmailAndPhone(item)
  const email = (writtenEmail && toPlainEmail(writtenEmail)) || null
  // What looks like a personal identity number is no phone.
  const phone = writtenPhone !== null && isLikePersonalNumber(writtenPhone) ? null : writtenPhone
  const wantsCall = isQuestion(item) && item.sender.mode === 'phone' && phone !== null
  const preferred: Channel = email === null || wantsCall ? 'call' : 'mail'
  return { email, phone, preferred }
}
