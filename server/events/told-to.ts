import 'server-only'
import type { ChangedEvent, LeadEvent, TriageEvent } from '@/lib/contract/live-event'
import { maySee } from '@/server/access/may-see'
import type { Viewer } from '@/server/access/make-viewer'
import type { HubEvent, TriageByOne } from './desk-event'

export type ToldEvent =
  | { name: 'changed'; data: ChangedEvent }
  | { name: 'triage'; data: TriageEvent }
  | { name: 'lead'; data: LeadEvent }

/** What of an event this person is told; null when it is about schools or leads that are not theirs to see. */
export function toldTo(viewer: Pick<Viewer, 'schools' | 'permissions'>, event: HubEvent): ToldEvent | null {
  if (event.name === 'changed') return { name: 'changed', data: event.change }
  if (!viewer.permissions.has('leads:read')) return null
  switch (event.name) {
    case 'triage': {
      const people = event.changes.filter(({ schools }) => schools.some((school) => maySee(viewer, school)))
      return people.length === 0 ? null : { name: 'triage', data: { list: event.list, by: onlyOne(people) } }
    }
    case 'lead':
      return maySee(viewer, event.school) ? { name: 'lead', data: event.lead } : null
    case 'person':
      return null
    default:
      return event satisfies never
  }
}

/** Several people at once are nobody in particular. */
function onlyOne([first, ...others]: TriageByOne[]): string {
  return first && others.every(({ by }) => by === first.by) ? first.by : ''
}
