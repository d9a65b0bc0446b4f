import { unworked } from '@/lib/leads/testing/leads'
import type { LeadPage } from '@/lib/api/leads'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'

/** A declaration for tests that care about its id only. */
export function item(id: string): DeclarationOfInterestItem {
  return {
    id,
    highSchoolId: 'norra',
    createdAt: '2026-11-20T07:12:00.000Z',
    user: { firstName: 'Åsa', lastName: 'Öberg', email: null, phone: null, highSchoolEnrollmentYear: 2027 },
    triage: { status: 'new', assignee: null, updatedAt: null },
    ...unworked,
    contactId: `contact-${id}`,
  }
}

/** The page of a list's version that has these ids. */
export function head(version: number, ids: readonly string[], total = ids.length): LeadPage {
  const snapshot = {
    fetchedAt: '2026-11-20T07:12:08.000Z',
    nextAt: null,
    stale: false,
    problem: null,
    version,
    unreadable: 0,
  }
  return { items: ids.map(item), total, snapshot }
}
