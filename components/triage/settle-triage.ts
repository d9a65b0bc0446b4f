import type { QueryClient } from '@tanstack/react-query'
import { refreshCounts, refreshTriaged, TRIAGE_MUTATION } from '@/lib/api/refresh-triaged'
import type { LeadList } from '@/lib/contract/lead'

/** Asks again what was decided about, once the last decision on its way is through; this one still counts as one. */
export function settleTriage(client: QueryClient, lists: ReadonlySet<LeadList>): void {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 1) return
  setTimeout(() => {
    for (const list of lists) void refreshTriaged(client, list)
    void refreshCounts(client)
  })
}
