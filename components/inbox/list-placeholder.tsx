import { useTranslations } from 'next-intl'
import { lazyPart } from '@/components/desk/lazy-part'
import { ApiError } from '@/lib/api/send'
import type { NoRowsProps } from './no-rows'

type ListPlaceholderProps = Omit<NoRowsProps, 'failure'> & { error: unknown; isEmpty: boolean }

/** In place of the rows when there are none: an empty list, one that loads, or why it failed. */
export function ListPlaceholder({ error, isEmpty, ...rest }: ListPlaceholderProps) {
  const failure = !isEmpty && error instanceof ApiError ? error.kind : null
  if (!isEmpty && failure === null) return <LoadingRows />
  return <NoRows {...rest} failure={failure} />
}

export const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)

const SCREENFUL = 12

function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SCREENFUL }, (_, index) => (
        <div key={index} className="h-16">
          <SkeletonRow index={index} />
        </div>
      ))}
    </div>
  )
}

/** The place of a row whose page is on its way. `index` varies the widths, so that a screenful does not look like a grid. */
export function SkeletonRow({ index }: { index: number }) {
  const width = WIDTHS[index % WIDTHS.length]
  return (
    <div aria-hidden className="grid h-full animate-pulse grid-cols-[1rem_1fr] edge content-center gap-x-3 gap-y-2">
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className={`h-3 rounded-sm bg-line ${width}`} />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

const WIDTHS = ['w-32', 'w-44', 'w-36', 'w-52', 'w-28']
