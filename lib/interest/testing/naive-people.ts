import type { Lead } from '@/lib/contract/lead'

/** The people by whom leads are, found as one would on paper: names passed on until nothing changes. */
export function naivePeople(leads: readonly Lead[]): number[] {
  const people = leads.map((_, index) => index)
  for (let changed = true; changed;) {
    changed = false
    for (const [a, first] of leads.entries()) {
      for (const [b, second] of leads.entries()) {
        const least = Math.min(people[a] ?? 0, people[b] ?? 0)
        if (!isShared(first, second) || (people[a] === least && people[b] === least)) continue
        people[a] = least
        people[b] = least
        changed = true
      }
    }
  }
  return people
}

function isShared(a: Lead, b: Lead): boolean {
  const [one, other] = [contactOf(a), contactOf(b)]
  return (one.email !== null && one.email === other.email) || (one.phone !== null && one.phone === other.phone)
}

function contactOf(lead: Lead): { email: string | null; phone: string | null } {
  return 'user' in lead ? lead.user : lead.sender
}
