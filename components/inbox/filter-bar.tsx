import { ListFilter } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazyPart } from '@/components/desk/lazy-part'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import { Segments } from '@/components/ui/segments'
import { isAnySet, isToDo, toDo } from '@/lib/inbox/filter-params'
import type { FilterPanelProps } from './filter-panel'
import type { ListFilters } from './list-filters'

export const FilterPanel = lazyPart(
  async () => (await import('./filter-panel')).FilterPanel,
  <Spinner className="m-4 size-4 text-faint" />,
)
export const FilterChips = lazyPart(async () => (await import('./filter-chips')).FilterChips)
const loadAhead = () => void Promise.all([FilterPanel.load(), FilterChips.load()])

/** One line that never wraps: what waits or everything, the filters behind one button, and what of them is set. */
export function FilterBar(props: Omit<FilterPanelProps, 'close'>) {
  const { description, filters } = props
  const t = useTranslations('inbox')
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t('filters')}</legend>
      <Popover
        label={t('filters')}
        className="floating-sheet p-1 desk:w-72"
        onOpened={(box) => box.querySelector('button')?.focus()}
        trigger={(trigger) => (
          <div className="flex items-center gap-1.5">
            <ToDoSwitch filters={filters} />
            <button
              {...trigger}
              type="button"
              aria-label={t('filters')}
              onPointerEnter={loadAhead}
              onFocus={loadAhead}
              className="filter-button"
            >
              <ListFilter aria-hidden className="size-3.5 text-mute touch:size-4.5" />
              <span className="not-desk:sr-only touch:sr-only">{t('filters')}</span>
            </button>
            {isAnySet(filters.params) && <FilterChips description={description} filters={filters} trigger={trigger} />}
          </div>
        )}
      >
        {(close) => (
          <div>
            <FilterPanel {...props} close={close} />
          </div>
        )}
      </Popover>
    </fieldset>
  )
}

function ToDoSwitch({ filters: { params, set } }: { filters: ListFilters }) {
  const t = useTranslations('inbox')
  return (
    <div className="min-w-0 shrink-0 [&_label]:px-2.5 max-[16rem]:[&_label]:px-1 print:hidden">
      <Segments
        look="switch"
        label={t('toDo.label')}
        value={isToDo(params) ? 'toDo' : 'all'}
        options={(['toDo', 'all'] as const).map((value) => ({ value, text: t(`toDo.${value}`) }))}
        onChange={(value) => set(toDo(params, value === 'toDo'))}
      />
    </div>
  )
}
