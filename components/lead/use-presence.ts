'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { presenceKeys, tellAbsence, tellPresence } from '@/lib/api/presence'
import type { LeadRef } from '@/lib/contract/lead'
import type { PresenceAnswer } from '@/lib/contract/presence'
import { createAttention } from './attention'
import { tabId } from './tab-id'

const BEAT_MS = 10_000

/**
 * Tells the server every ten seconds that the lead is open here, and answers who else has it open. A tab that nobody has
 * looked at for a while says nothing, and so counts as left.
 */
export function usePresence(lead: LeadRef, isThere: boolean): PresenceAnswer['others'] {
  const { data } = useQuery({
    queryKey: presenceKeys.of(lead),
    queryFn: ({ signal }) => tellPresence(tabId(), lead, signal),
    enabled: isThere,
    refetchInterval: () => (attention.isAway() ? false : BEAT_MS),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    const leave = () => tellAbsence(tabId())
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return data?.others ?? []
}

const attention = createAttention({ now: Date.now, page: typeof document === 'undefined' ? null : document })
