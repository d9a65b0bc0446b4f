import type { LeadItem } from '@/lib/api/leads'
import type { Contact } from '@/lib/contract/contact'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { comparableEmail } from './contact-key'

/**
 * The first name to greet with. A question has none of its own: there it is that of the declarations from the same e-mail, where
 * they agree on one. Brothers and sisters who share an address are greeted without.
 */
export function greetingName(item: LeadItem, contact: Contact | undefined): string | null {
  if (!isQuestion(item)) return givenName(item)
  const email = comparableEmail(contactOf(item).email)
  if (email === null) return null
  const names = new Map<string, string>()
  for (const { lead } of contact?.leads ?? []) {
    if (isQuestion(lead) || comparableEmail(lead.user.email) !== email) continue
    const name = givenName(lead)
    // As it was given last.
    if (name !== null && !names.has(foldText(name))) names.set(foldText(name), name)
  }
  const [only, ...others] = names.values()
  return others.length > 0 ? null : (only ?? null)
}

function givenName(item: LeadItem): string | null {
  const name = isQuestion(item) ? '' : (item.user.firstName ?? '').trim()
  return name === '' ? null : name
}
