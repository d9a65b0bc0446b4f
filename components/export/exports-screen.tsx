'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/go'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Problem } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { exportHistory } from '@/lib/api/exports'
import type { ExportEntry, ExportHistory } from '@/lib/contract/export'
import { ExportDialog } from './export-dialog'
import { ExportCards, ExportTable } from './export-entries'

/** What the person exported. `first` is the page of it that came with the HTML. */
export function ExportsScreen({ first }: { first: ExportHistory }) {
  const t = useTranslations('export.history')
  const [again, setAgain] = useState<ExportEntry | null>(null)
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...exportHistory,
    initialData: { pages: [first], pageParams: [undefined] },
  })
  const entries = data.pages.flatMap((page) => page.exports)
  const shown = { entries, repeatable: newestOfEach(entries), onAgain: setAgain }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <Problem text={isError ? t('failed') : null} />
      {entries.length === 0 ? (
        <NothingYet />
      ) : (
        // The style sheet chooses, so that the server's page has the right one at once.
        <>
          <div className="not-desk:hidden">
            <ExportTable {...shown} />
          </div>
          <div className="desk:hidden">
            <ExportCards {...shown} />
          </div>
        </>
      )}
      {hasNextPage && (
        <Button className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {again?.matching && (
        <ExportDialog
          list={again.list}
          target={{ matching: again.matching }}
          count={again.count}
          newFirst
          onClose={() => setAgain(null)}
        />
      )}
    </div>
  )
}

function NothingYet() {
  const t = useTranslations('export.history')
  return (
    <EmptyState
      icon={<Download />}
      title={t('empty')}
      action={
        <DeskLink href="/declarations" className={buttonClass()}>
          {t('toList')}
        </DeskLink>
      }
    >
      {t('emptyHint')}
    </EmptyState>
  )
}

/** Of the entries (newest first), the last whole file of each list and filter: it is since then that something is new. */
function newestOfEach(entries: readonly ExportEntry[]): ReadonlySet<string> {
  const newest = new Map<string, string>()
  for (const { id, list, matching, format, state } of entries) {
    if (matching === null || format === 'emails' || state !== 'finished') continue
    const filter = JSON.stringify([list, matching])
    if (!newest.has(filter)) newest.set(filter, id)
  }
  return new Set(newest.values())
}
