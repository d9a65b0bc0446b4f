'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useStatus } from '@/components/desk/feed-status'
import { optionalPart } from '@/components/desk/lazy-part'
import { Skeleton } from '@/components/ui/loading'
import type { FeedList } from '@/lib/contract/lists'

const StatusText = optionalPart(
  async () => (await import('./status-text')).StatusText,
  <Skeleton className="my-0.75 ml-3.25 h-3 w-20" />,
)

/** The text comes after the page, which does not know it, and its room is kept. */
export function StatusLine() {
  const t = useTranslations('status')
  return (
    <section aria-label={t('label')} className="tabular min-h-4.5 min-w-0 text-xs text-mute">
      <StatusText />
    </section>
  )
}

/** Draws again what the server drew while these lists were `missing`, when one of them has come. */
export function FirstArrival({ missing }: { missing: readonly FeedList[] }) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: status } = useStatus()
  const come = missing.filter((list) => status && status.lists[list] !== null).join(' ')
  useEffect(() => {
    if (come === '') return
    router.refresh()
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
  }, [come, router, client])
  return null
}
