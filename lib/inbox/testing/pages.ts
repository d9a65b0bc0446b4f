import type { LeadPage } from '@/lib/api/leads'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { declarationItem } from '@/lib/leads/testing/leads'

export function item(id: string): DeclarationOfInterestItem {
  const fields = { createdAt: '2026-11-20T07:12:00.000Z', firstName: 'Åsa', lastName: 'Öberg' }
  return { ...declarationItem(id, fields), contactId: `contact-${id}` }
}

export function snapshotAt(version: number): SnapshotInfo {
  return { fetchedAt: '2026-11-20T07:12:08.000Z', nextAt: null, stale: false, problem: null, version, unreadable: 0 }
}

export function leadPage(version: number, ids: readonly string[], total = ids.length): LeadPage {
  return { items: ids.map(item), total, snapshot: snapshotAt(version), requestedAt: 0 }
}
