import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { api } from '@/lib/api/call'
import { presenceKey } from '@/lib/api/refresh'
import { onceKey } from '@/lib/api/triage'
import type { LeadRef } from '@/lib/contract/lead'

const BEAT_MS = 10_000

/**
 * Who else has the lead open, and says every ten seconds that it is open here, while the tab is in sight. First names; whole
 * names under the pointer. A narrow toolbar has no room for them.
 */
export function Presence({ lead, isThere }: { lead: LeadRef; isThere: boolean }) {
  const t = useTranslations('lead')
  const { data } = useQuery({
    queryKey: presenceKey(lead),
    queryFn: ({ signal }) => api('POST /api/presence', { body: { tab: TAB_ID, lead }, signal }),
    enabled: isThere,
    refetchInterval: BEAT_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    const leave = () => {
      // Not waited for, as the page may go away now: without it, the server takes silence for leaving.
      const body = JSON.stringify({ tab: TAB_ID, lead: null })
      const headers = { 'content-type': 'application/json' }
      void fetch('/api/presence', { method: 'POST', keepalive: true, headers, body }).catch(() => {})
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  const others = data?.others ?? []
  const [first = '', second = ''] = others.map(({ name }) => name.trim().split(/\s+/)[0] ?? name)
  const count = others.length
  return (
    // There from the beginning, so that a screen reader says when a colleague comes.
    <span role="status" className="flex min-w-0 flex-1 basis-12 items-center justify-end empty:basis-0">
      {count > 0 && (
        <span
          title={others.map(({ name }) => name).join(', ')}
          className="sr-only animate-appear text-end text-xs leading-tight text-balance wrap-anywhere text-mute @sm:not-sr-only @sm:line-clamp-2 @2xl:min-w-26"
        >
          {t('also', { count, name: first, second, more: count - 1 })}
        </span>
      )}
    </span>
  )
}

/** Names this tab for as long as it lives; in memory only, since a copied tab copies its storage too. */
const TAB_ID = typeof crypto === 'undefined' ? '' : onceKey()
