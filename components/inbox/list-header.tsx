import { ArrowUp, Download, ListChecks, ListFilter } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazyPart, lazyPopoverContent } from '@/components/app/lazy-part'
import { useDayNumbers } from '@/components/app/own-changes'
import { useSchoolFilter } from '@/components/app/schools'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { isQueue } from '@/lib/api/leads'
import { LEAD_KINDS, type QueueName } from '@/lib/contract/lists'
import { hasAnyFilter, isToDo, setToDo } from '@/lib/inbox/filter-params'
import { SearchField } from './search-field'
import { useInbox } from './use-inbox'

export function ListHeader() {
  const t = useTranslations('inbox')
  const { listOrQueue, rows, marks, actions } = useInbox()
  const messageGroup = isQueue(listOrQueue) ? 'queue' : listOrQueue
  // New leads count before their rows are shown. While a new query is not answered, its total is not known.
  const total = rows.isOfPreviousQuery || rows.data === undefined ? undefined : rows.data.total + rows.newCount
  return (
    <header className="flex flex-col gap-2.5 edge border-b border-line-soft pt-3 pb-2">
      <div className="list-title-row">
        <div>
          <h1 id="list-title">{isQueue(listOrQueue) ? t(`queues.${listOrQueue}`) : t(`${listOrQueue}.title`)}</h1>
          {total !== undefined && (
            <span
              aria-hidden
              data-waiting={rows.newCount > 0 || undefined}
              className="tabular text-base text-faint max-[105rem]:data-waiting:hidden"
            >
              {isQueue(listOrQueue) ? <QueueTotal queue={listOrQueue} /> : t('total', { count: total })}
            </span>
          )}
        </div>
        {/* New leads are shown only when the user asks for them, so that no row moves. */}
        <div aria-live="polite" className="shrink-0 print:hidden">
          {rows.newCount > 0 && (
            <button type="button" title={t('freshHint')} onClick={actions.showNewLeads} className="waiting-button">
              <ArrowUp className="size-3.5 text-accent desk:max-[80rem]:hidden" />
              <span>
                {t.rich('fresh', {
                  count: rows.newCount,
                  // A narrow list has room for the number only.
                  verb: (chunks) => <span className="desk:max-[80rem]:sr-only">{chunks}</span>,
                })}
              </span>
            </button>
          )}
        </div>
        {rows.count > 0 && (
          <span className="-mr-2 flex shrink-0 print:hidden">
            <IconButton
              icon={ListChecks}
              label={t(marks.isMarking ? 'marked.stop' : 'marked.start')}
              onClick={marks.isMarking ? actions.clearMarks : actions.startMarking}
            />
            <IconButton icon={Download} label={t('export')} onClick={() => void actions.askExport('export', 'all')} />
          </span>
        )}
      </div>
      <SearchField label={t(`${messageGroup}.search`)} />
      <FilterBar />
      <output className="sr-only">{total !== undefined && t(`${messageGroup}.count`, { count: total })}</output>
    </header>
  )
}

/** Shows a queue's number as in the menu, or "3 of 64" where filters hide some. */
function QueueTotal({ queue }: { queue: QueueName }) {
  const t = useTranslations('inbox')
  const { filters, rows } = useInbox()
  const [schools] = useSchoolFilter()
  const count = rows.count + rows.newCount
  const total = useDayNumbers(schools).data?.[queue] ?? count
  return filters.isFiltered ? t('queue.part', { count, total }) : t('total', { count: total })
}

export const FilterPanel = lazyPopoverContent(async () => (await import('./filter-panel')).FilterPanel)
export const FilterChips = lazyPart(async () => (await import('./filter-chips')).FilterChips)

function FilterBar() {
  const t = useTranslations('inbox')
  const { description, filters, actions } = useInbox()
  const { params } = filters
  const isInQueue = description === null
  const hasFilters = isInQueue ? params.topic.length > 0 : hasAnyFilter(params)
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t('filters')}</legend>
      <Popover
        label={t('filters')}
        className="floating-sheet p-1 desk:w-72"
        onOpen={(box) => box.querySelector('button')?.focus()}
        trigger={(trigger) => (
          <div className={isInQueue ? 'queue-bar' : 'flex items-center gap-1.5'}>
            {isInQueue ? (
              <SegmentedControl
                variant="switch"
                label={t('queue.kinds')}
                value={params.kind ?? 'all'}
                options={(['all', ...LEAD_KINDS] as const).map((value) => ({ value, text: t(`queue.${value}`) }))}
                onChange={(kind) => actions.setFilters({ kind: kind === 'all' ? null : kind })}
              />
            ) : (
              <div className="min-w-0 shrink-0 [&_label]:px-2 max-[16rem]:[&_label]:px-1 print:hidden">
                <SegmentedControl
                  variant="switch"
                  label={t('toDo.label')}
                  value={isToDo(params) ? 'toDo' : 'all'}
                  options={(['toDo', 'all'] as const).map((value) => ({ value, text: t(`toDo.${value}`) }))}
                  onChange={(value) => actions.setFilters(setToDo(params, value === 'toDo'))}
                />
              </div>
            )}
            <button {...trigger} type="button" aria-label={t('filters')} className="filter-button">
              <ListFilter className="size-3.5 text-mute touch:size-4.5" />
              {!isInQueue && <span className="not-desk:sr-only touch:sr-only">{t('filters')}</span>}
            </button>
            {hasFilters && <FilterChips />}
          </div>
        )}
      >
        {(close) => <FilterPanel close={close} />}
      </Popover>
    </fieldset>
  )
}
