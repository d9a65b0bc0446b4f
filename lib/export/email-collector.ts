import { toComparableEmail, toPlainEmail } from '@/lib/contacts/contact-key'
import { isMailAddress } from '@/lib/contacts/reply-mail'

export function createEmailCollector() {
  const emails = new Map<string, string>()
  let withoutEmailCount = 0
  return {
    add: (email: string | null) => {
      const address = email === null ? '' : toPlainEmail(email)
      const key = isMailAddress(address) ? toComparableEmail(address) : null
      if (key === null) withoutEmailCount++
      else if (!emails.has(key)) emails.set(key, address)
    },
    finish: () => ({ emails: [...emails.values()], without: withoutEmailCount }),
  }
}
