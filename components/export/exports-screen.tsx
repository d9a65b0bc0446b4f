'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { exportHistory } from '@/lib/api/exports'
import type { ExportEntry, ExportHistory } from '@/lib/contract/export'
import { ExportCards } from './export-cards'
import { ExportDialog } from './export-dialog'
import { ExportTable } from './export-table'
import { FormProblem } from './form-problem'
import { newestOfEach } from './newest-of-each'
import { useIsWide } from './use-is-wide'

/** What the person exported. `first` is the page of it that came with the HTML. */
export function ExportsScreen({ first }: { first: ExportHistory }) {
  const t = useTranslations('export.history')
  const [again, setAgain] = useState<ExportEntry | null>(null)
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...exportHistory,
    initialData: { pages: [first], pageParams: [undefined] },
  })
  const entries = data.pages.flatMap((page) => page.exports)
  const Entries = useIsWide() ? ExportTable : ExportCards
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-5 p-4 desk:px-8 desk:py-7">
      <header>
        <h1 className="text-lg font-semibold">{t('title')}</h1>
        <p className="text-sm text-mute">{t('lead')}</p>
      </header>
      <FormProblem text={isError ? t('failed') : null} />
      {entries.length === 0 ? (
        <NothingYet />
      ) : (
        <Entries entries={entries} repeatable={newestOfEach(entries)} onAgain={setAgain} />
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
        <Link href="/declarations" className={buttonClass()}>
          {t('toList')}
        </Link>
      }
    >
      {t('emptyHint')}
    </EmptyState>
  )
}
