import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { LazyArea } from '@/components/desk/lazy-area'
import { Avatar } from '@/components/ui/avatar'
import { api } from '@/lib/api/call'
import { presenceKey } from '@/lib/api/refresh'
import { onceKey } from '@/lib/api/triage'
import type { PresenceAnswer } from '@/lib/contract/notes'
import type { LeadRef } from '@/lib/contract/lead'

export function Presence({ lead, isThere }: { lead: LeadRef; isThere: boolean }) {
  const others = usePresence(lead, isThere)
  return (
    // There from the beginning, so that a screen reader says when a colleague comes.
    <span role="status" className="flex min-w-0 flex-1 basis-12 items-center justify-end empty:basis-0">
      <LazyArea area="contact">
        <Others others={others} />
      </LazyArea>
    </span>
  )
}

const MAX_FACES = 3

/** First names; whole names under the pointer. A narrow toolbar has no faces, a very narrow one no words. */
function Others({ others }: PresenceAnswer) {
  const t = useTranslations('contact.presence')
  const [first, second] = others
  if (first === undefined) return null
  const count = others.length
  return (
    <span
      title={others.map(({ name }) => name).join(', ')}
      className="flex min-w-0 animate-appear items-center gap-1.5 text-xs text-mute @2xl:min-w-26"
    >
      <span className="flex -space-x-1.5 @sm:hidden @2xl:flex">
        {others.slice(0, MAX_FACES).map(({ id, name }) => (
          <span key={id} aria-hidden className="inline-flex rounded-full ring-2 ring-panel">
            <Avatar name={name} />
          </span>
        ))}
      </span>
      <span className="sr-only text-end leading-tight text-balance wrap-anywhere @sm:not-sr-only @sm:line-clamp-2">
        {t('also', { count, name: givenName(first.name), second: givenName(second?.name ?? ''), more: count - 1 })}
      </span>
    </span>
  )
}

function givenName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}

const BEAT_MS = 10_000

/** Says every ten seconds that the lead is open here, while the tab is in sight. */
function usePresence(lead: LeadRef, isThere: boolean): PresenceAnswer['others'] {
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
    // Not waited for, as the page may go away now: without it, the server takes silence for leaving.
    const body = { tab: TAB_ID, lead: null }
    const headers = { 'content-type': 'application/json' }
    const leave = () =>
      void fetch('/api/presence', {
        method: 'POST',
        keepalive: true,
        headers,
        body: JSON.stringify(body),
      }).catch(() => {})
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return data?.others ?? []
}

/** Names this tab for as long as it lives; in memory only, since a copied tab copies its storage too. */
const TAB_ID = typeof crypto === 'undefined' ? '' : onceKey()
