import { comparableEmail } from '@/lib/contacts/contact-key'
import { isMailAddress } from '@/lib/contacts/reply-mail'

/** Collects addresses, each once but for case, and counts the leads that have none. */
export function createEmailCollector() {
  const emails = new Map<string, string>()
  let without = 0
  return {
    add: (email: string | null) => {
      const address = usableEmail(email)
      const key = comparableEmail(address)
      if (address === null || key === null) without += 1
      else if (!emails.has(key)) emails.set(key, address)
    },
    finish: () => ({ emails: [...emails.values()], without }),
  }
}

/** The address to write to, or null when there is none that mail may be sent to. */
function usableEmail(email: string | null): string | null {
  const address = email?.trim() ?? ''
  return isMailAddress(address) ? address : null
}
