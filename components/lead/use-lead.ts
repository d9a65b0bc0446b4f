'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListDescription } from '@/components/inbox/lists'
import { useIsLive } from '@/components/shell/live'
import { isWorthRetrying } from '@/lib/api/api-error'
import type { LeadItem } from '@/lib/api/lead-page'
import { refreshOptions } from '@/lib/api/refresh-interval'

export type LeadState =
  | { is: 'none' }
  | { is: 'loading' }
  | { is: 'there'; item: LeadItem }
  | { is: 'gone' }
  | { is: 'failed'; retry: () => void }

/** The open lead: from the list while it is among the loaded rows, else asked for by its id. */
export function useLead(description: ListDescription, id: string | null, listed: LeadItem | undefined): LeadState {
  const one = useQuery({
    ...description.one(id ?? ''),
    ...refreshOptions(useIsLive()),
    enabled: id !== null && listed === undefined,
    retry: (failures, error) => failures < 2 && isWorthRetrying(error),
  })
  const [seen, setSeen] = useState(listed)
  if (listed !== undefined && listed !== seen) setSeen(listed)
  if (id === null) return { is: 'none' }
  if (listed !== undefined) return { is: 'there', item: listed }
  const asked = one.data?.items[0]
  if (asked !== undefined) return { is: 'there', item: asked }
  if (one.data !== undefined) return { is: 'gone' }
  // Scrolled out of the loaded rows a moment ago: what was on screen stays until the answer is there.
  if (seen?.id === id) return { is: 'there', item: seen }
  return one.isError ? { is: 'failed', retry: () => void one.refetch() } : { is: 'loading' }
}
