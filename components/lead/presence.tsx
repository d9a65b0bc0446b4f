import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { api } from '@/lib/api/call'
import { createIdempotencyKey } from '@/lib/api/mutation-options'
import { presenceKey } from '@/lib/api/refresh'
import type { LeadRef } from '@/lib/contract/lead'

const HEARTBEAT_MS = 10_000

/** Identifies this tab. It is in memory only, because a duplicated tab copies its storage, too. */
const TAB_ID = createIdempotencyKey()

/** Shows the first names of other users who have the lead open, and reports that it is open here, while the tab is visible. */
export function Presence({ lead, isOpened }: { lead: LeadRef; isOpened: boolean }) {
  const t = useTranslations('lead')
  const { data } = useQuery({
    queryKey: presenceKey(lead),
    queryFn: ({ signal }) => api('POST /api/presence', { body: { tab: TAB_ID, lead }, signal }),
    enabled: isOpened,
    refetchInterval: HEARTBEAT_MS,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  })
  // A closed tab reports nothing; the server drops it after two missed reports.
  useEffect(() => () => void api('POST /api/presence', { body: { tab: TAB_ID, lead: null } }).catch(() => {}), [])
  const names = (data?.others ?? []).map(({ name }) => name.trim())
  const [first = '', second = ''] = names.map((name) => name.replace(/\s.*/s, ''))
  const count = names.length
  return (
    // A live region must exist before its text, or it is not read aloud.
    <span role="status" className="flex min-w-0 flex-1 basis-12 items-center justify-end empty:basis-0">
      {count > 0 && (
        <span
          title={names.join(', ')}
          className="sr-only animate-appear text-end text-xs leading-tight text-balance wrap-anywhere text-mute @sm:not-sr-only @sm:line-clamp-2 @2xl:min-w-26"
        >
          {t('also', { count, name: first, second, more: count - 1 })}
        </span>
      )}
    </span>
  )
}
