'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { LogTabs } from '@/components/reading/log-tabs'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { api, type Input, keyOf } from '@/lib/api/call'
import type { User } from '@/lib/contract/user'
import { ActivityEntries } from './activity-entries'
import { ActivityFilters, NO_FILTER, useActivityParams } from './activity-search'

const PAGE_SIZE = 50

/** Who did what, newest first; of one person, about one lead, of one kind. */
export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const [params, setParams] = useActivityParams()
  const search: Input<'GET /api/activity'>['query'] = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== null),
  )
  const found = useInfiniteQuery({
    queryKey: keyOf('GET /api/activity', { query: search }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...search, before: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={`${t('lead')} ${t('times')}`} />
      <LogTabs here="log" />
      <ActivityFilters key={JSON.stringify(params)} params={params} users={users} onSearch={setParams} />
      {found.isError && <Failed onRetry={() => void found.refetch()} />}
      {found.isPending && <Waiting />}
      {found.isSuccess && entries.length === 0 && <NothingFound />}
      {entries.length > 0 && (
        <>
          <ActivityEntries entries={entries} users={users} onSearch={(next) => setParams({ ...NO_FILTER, ...next })} />
          {found.hasNextPage ? (
            <Button className="self-center" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {t(found.isFetchingNextPage ? 'loadingOlder' : 'older')}
            </Button>
          ) : (
            <p className="text-center text-xs text-mute">{t('end')}</p>
          )}
        </>
      )}
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('activity')
  const common = useTranslations('common')
  return (
    <Notice size="banner" role="alert" className="flex flex-wrap items-center gap-3">
      {t('failed')}
      <Button size="sm" onClick={onRetry}>
        {common('tryAgain')}
      </Button>
    </Notice>
  )
}

function NothingFound() {
  const t = useTranslations('activity')
  return (
    <EmptyState icon={<ScrollText />} title={t('empty')}>
      {t('emptyHint')}
    </EmptyState>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-3">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-9 w-full" />
      ))}
    </div>
  )
}
