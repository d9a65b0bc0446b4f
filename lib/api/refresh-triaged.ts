import type { QueryClient } from '@tanstack/react-query'
import type { LeadList } from '@/lib/contract/lead'
import { isHead } from './outdated'

export const TRIAGE_MUTATION = ['triage'] as const

/**
 * Asks again what a list shows of status and assignee. Not while a change of one's own is on its way: the answer would show
 * what was before for a moment, and the change asks for it anyway when it is through.
 */
export async function refreshTriaged(client: QueryClient, list: LeadList): Promise<void> {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 0) return
  await Promise.all([
    // Pages beyond the first follow the first one by themselves.
    client.invalidateQueries({ predicate: (query) => query.queryKey[1] === list && isHead(query) }),
    client.invalidateQueries({ queryKey: ['contacts'] }),
  ])
}

/** Asks again for the numbers beside menu, filters and views. */
export async function refreshCounts(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 0) return
  await Promise.all([
    client.invalidateQueries({ queryKey: ['counts'] }),
    client.invalidateQueries({ queryKey: ['views'] }),
  ])
}
