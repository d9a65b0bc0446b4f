import { comparableEmail } from '@/lib/contacts/contact-key'

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

/** The address to write to, or null when there is none that a mail program could send to. */
function usableEmail(email: string | null): string | null {
  const address = email?.trim() ?? ''
  return ONE_ADDRESS.test(address) ? address : null
}

/** One address and nothing else: what would part it into two, or hide one in a name, is not written into a mail. */
const ONE_ADDRESS = /^[^\s@,;:<>()[\]"\\\p{Cc}\p{Cf}]+@[^\s@,;:<>()[\]"\\\p{Cc}\p{Cf}]+$/u
