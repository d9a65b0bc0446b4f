import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '@/lib/api/call'
import { type LeadItem, leadKeys, type LeadPage, NO_ETAG } from '@/lib/api/leads'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { Attempt, LeadRef, LeadWork } from '@/lib/contract/lead'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import { isAnswer, isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'

/** How far a lead has come once this attempt is noted; until the server has counted, the best there is. */
export function workAfter(before: LeadWork, attempt: Omit<NewAttempt, 'kind' | 'id'>, now: Attempt): LeadWork {
  const { outcome, status } = attempt
  const wanted = attempt.snoozeUntil === undefined ? before.snoozeUntil : attempt.snoozeUntil
  const snoozeUntil = isClosed(status) ? null : wanted
  const isOver = isAnswer(outcome) || snoozeUntil !== null || isClosed(status)
  return {
    attempts: { count: before.attempts.count + 1, last: now },
    snoozeUntil,
    waitingSince: isOver ? null : before.waitingSince,
    due: isOver ? null : before.due,
    late: !isOver && before.late,
  }
}

export function workOf({ attempts, snoozeUntil, waitingSince, due, late }: LeadWork): LeadWork {
  return { attempts, snoozeUntil, waitingSince, due, late }
}

/** Shows how far a lead has come on every page that is loaded. */
export function showWork(client: QueryClient, { kind, id }: LeadRef, work: LeadWork): void {
  const list = LISTS_BY_KIND[kind].list
  client.setQueriesData<LeadPage>({ queryKey: leadKeys.list(list) }, (page) => page && onPage(page, id, work))
  client.setQueriesData<Contact>(
    { queryKey: keyOf('GET /api/contacts/[id]') },
    (person) => person && onContact(person, { kind, id }, work),
  )
}

function onPage(page: LeadPage, id: string, work: LeadWork): LeadPage {
  if (!page.items.some((item) => item.id === id)) return page
  const items = page.items.map((item): LeadItem => (item.id === id ? { ...item, ...work } : item))
  return { ...page, etag: NO_ETAG, items }
}

function onContact(person: Contact, { kind, id }: LeadRef, work: LeadWork): Contact {
  const isIt = (found: ContactLead) => found.kind === kind && found.lead.id === id
  if (!person.leads.some(isIt)) return person
  const changed = (found: ContactLead): ContactLead => {
    if (!isIt(found)) return found
    return found.kind === 'asked-question'
      ? { ...found, lead: { ...found.lead, ...work } }
      : { ...found, lead: { ...found.lead, ...work } }
  }
  return { ...person, leads: person.leads.map(changed) }
}
