import { ArrowUp, Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { isQueue } from '@/lib/api/leads'
import { lazyPart } from '@/components/desk/lazy-part'
import { IconButton } from '@/components/ui/icon-button'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import { FilterBar } from './filter-bar'
import { useQueueParts } from './queue-parts'
import { SearchField } from './search-field'
import type { InboxState } from './use-inbox'

export function ListHeader({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { place, words, description, filters, rows, counts } = inbox
  const queue = useQueueParts()
  const total = rows.isPrevious ? undefined : rows.data?.total
  return (
    <header className="flex flex-col gap-2.5 edge border-b border-line-soft pt-3 pb-2">
      <div className="flex min-h-8 items-center gap-x-2">
        <div className="flex min-w-0 flex-1 items-baseline gap-x-2">
          <h1 id="list-title" className="min-w-0 text-title font-semibold wrap-anywhere max-[14rem]:text-base">
            {isQueue(place) ? t(`queues.${place}`) : t(`${place}.title`)}
          </h1>
          {total !== undefined && (
            <span
              aria-hidden
              data-waiting={rows.waiting > 0 || undefined}
              className="tabular text-base text-faint not-wide:data-waiting:hidden"
            >
              {queue ? <queue.Total inbox={inbox} /> : t('total', { count: total })}
            </span>
          )}
        </div>
        <Waiting inbox={inbox} />
        {rows.count > 0 && <ListMenu inbox={inbox} />}
      </div>
      <SearchField inbox={inbox} />
      {description === null ? (
        queue && <queue.Kinds inbox={inbox} />
      ) : (
        <FilterBar
          description={description}
          filters={filters}
          counts={counts}
          onSave={() => inbox.setDialog({ is: 'save-view' })}
        />
      )}
      <output className="sr-only">{total !== undefined && t(`${words}.count`, { count: total })}</output>
    </header>
  )
}

/** New leads wait here, so that their coming moves no row. */
function Waiting({ inbox: { rows, showWaiting } }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  return (
    <div aria-live="polite" className="shrink-0 print:hidden">
      {rows.waiting > 0 && (
        <button type="button" title={t('freshHint')} onClick={showWaiting} className="waiting-button">
          <ArrowUp aria-hidden className="size-3.5 text-accent" />
          {t('fresh', { count: rows.waiting })}
        </button>
      )}
    </div>
  )
}

const ListMenuItems = lazyPart(
  async () => (await import('./bulk-bar')).ListMenuItems,
  <Spinner className="m-3 size-4 text-faint" />,
)
const loadAhead = () => void ListMenuItems.load()

/** What is done less often. */
function ListMenu({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  return (
    <Popover
      label={t('menu')}
      role="menu"
      align="end"
      className="min-w-44 p-1"
      trigger={(props) => (
        <IconButton {...props} label={t('menu')} className="-mr-2" onPointerEnter={loadAhead} onFocus={loadAhead}>
          <Ellipsis aria-hidden />
        </IconButton>
      )}
    >
      {(close) => (
        <div>
          <ListMenuItems inbox={inbox} close={close} />
        </div>
      )}
    </Popover>
  )
}
