import { Inbox as InboxIcon, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazyPart } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ApiError } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import { ROW_HEIGHT } from '@/lib/inbox/row-layout'

type ListPlaceholderProps = {
  list: LeadList
  error: unknown
  isEmpty: boolean
  isFiltered: boolean
  onRetry: () => void
  onClear: () => void
}

/** In place of the rows when there are none: an empty list, one that loads, or why it failed. */
export function ListPlaceholder({ list, error, isEmpty, isFiltered, onRetry, onClear }: ListPlaceholderProps) {
  const t = useTranslations('inbox')
  if (isEmpty && isFiltered) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('noMatch')}
        action={<Button onClick={onClear}>{t('clearFilters')}</Button>}
      >
        {t('noMatchHint')}
      </EmptyState>
    )
  }
  if (isEmpty) {
    return (
      <EmptyState icon={<InboxIcon />} title={t(`${list}.empty`)}>
        {t(`${list}.emptyHint`)}
      </EmptyState>
    )
  }
  if (!(error instanceof ApiError)) return <LoadingRows />
  return <ListFailure kind={error.kind} onRetry={onRetry} />
}

export const ListFailure = lazyPart(async () => (await import('./list-failure')).ListFailure, <LoadingRows />)

const SCREENFUL = 12

function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SCREENFUL }, (_, index) => (
        <SkeletonRow key={index} index={index} />
      ))}
    </div>
  )
}

/** The place of a row whose page is on its way. `index` varies the widths, so that a screenful does not look like a grid. */
export function SkeletonRow({ index }: { index: number }) {
  const width = WIDTHS[index % WIDTHS.length]
  return (
    <div
      aria-hidden
      style={{ height: `${ROW_HEIGHT}rem` }}
      className="grid animate-pulse grid-cols-[1rem_1fr] edge content-center gap-x-3 gap-y-2"
    >
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className={`h-3 rounded-sm bg-line ${width}`} />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

const WIDTHS = ['w-32', 'w-44', 'w-36', 'w-52', 'w-28']
