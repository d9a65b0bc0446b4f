import type { QueryClient } from '@tanstack/react-query'
import { countsKey } from '@/lib/api/list-counts'
import { leadKeys, type LeadPage } from '@/lib/api/lead-page'
import type { LeadKind, LeadList, LeadRef, Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-counts'
import { countsAfter } from '@/lib/inbox/counts-after'
import { withTriage } from '@/lib/inbox/triage-in-pages'

export const LIST_OF_KIND: Record<LeadKind, LeadList> = {
  'asked-question': 'asked-questions',
  'declaration-of-interest': 'declarations-of-interest',
}

const KINDS = ['asked-question', 'declaration-of-interest'] as const

type Shown = LeadRef & { triage: Triage }

/** Shows the leads' triage on every page that is loaded, and in the numbers if it is told what stood there before. */
export function showTriage(
  client: QueryClient,
  leads: readonly Shown[],
  counted?: { before: readonly Triage[]; decision: Partial<Triage> },
): void {
  for (const kind of KINDS) {
    const list = LIST_OF_KIND[kind]
    const changes = new Map(leads.flatMap((lead) => (lead.kind === kind ? [[lead.id, lead.triage]] : [])))
    if (changes.size === 0) continue
    // An answer that was on its way would show what was before for a moment.
    void client.cancelQueries({ queryKey: leadKeys.list(list) })
    client.setQueriesData<LeadPage>({ queryKey: leadKeys.list(list) }, (page) => page && withTriage(page, changes))
    if (counted === undefined) continue
    client.setQueriesData<ListCounts>(
      { queryKey: countsKey(list) },
      (counts) => counts && countsAfter(counts, counted.before, counted.decision),
    )
  }
}
