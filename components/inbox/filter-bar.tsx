import { useQuery } from '@tanstack/react-query'
import { ChevronDown, X } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { lazy, type ReactNode, Suspense } from 'react'
import { useToday } from '@/components/browser/clock'
import { useSchoolNames } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import { peopleQuery } from '@/lib/api/list-choices'
import type { ListCounts } from '@/lib/contract/list-query'
import { LEAD_STATUSES, type ListDescription } from '@/lib/contract/lists'
import { presetOf } from '@/lib/inbox/filter-params'
import { type Period, stockholmDay } from '@/lib/time/stockholm'
import type { ListFilters } from './list-filters'

type FilterBarProps = { description: ListDescription; filters: ListFilters; counts: ListCounts | undefined }

/** The filters as chips; on a phone in one line to draw along, so that the list keeps its room. */
export function FilterBar({ description, filters, counts, onSave }: FilterBarProps & { onSave: () => void }) {
  const t = useTranslations('inbox')
  return (
    <fieldset className="-mx-4 flex min-w-0 items-center gap-1.5 overflow-x-auto desk:gap-1 px-4 py-0.5 [scrollbar-width:none] desk:flex-wrap">
      <legend className="sr-only">{t('filters')}</legend>
      <Filter name="status" filters={filters} counts={counts} />
      <FreshFilter filters={filters} counts={counts} />
      {([description.ownFilter, 'school', 'assignee', 'period'] as const).map((name) => (
        <Filter key={name} name={name} filters={filters} counts={counts} />
      ))}
      {filters.isFiltered && (
        <>
          <button type="button" onClick={filters.clear} aria-keyshortcuts="c" className={quietButton}>
            {t('filter.clearAll')}
          </button>
          <button type="button" onClick={onSave} className={quietButton}>
            {t('filter.save')}
          </button>
        </>
      )}
    </fieldset>
  )
}

const quietButton =
  'h-6.5 shrink-0 rounded-full px-1.5 text-xs text-mute underline-offset-2 hover:text-ink hover:underline touch:h-9'

type FilterProps = Omit<FilterBarProps, 'description'>

/** Only what came since the last visit: on or off, and offered only where there is any. */
function FreshFilter({ filters, counts }: FilterProps) {
  const t = useTranslations('inbox.filter')
  const isOn = filters.params.fresh !== null
  const count = counts?.freshSince ? counts.fresh : undefined
  if (!isOn && !count) return null
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-on={isOn}
      onClick={() => filters.set({ fresh: isOn ? null : '1' })}
      className={cn(chipClass, 'gap-1.5 px-2.5 hover:not-data-[on=true]:bg-hover')}
    >
      {t('fresh')}
      {count !== undefined && <span className="tabular font-normal text-faint">{count}</span>}
    </button>
  )
}

const choices = {
  status: lazy(async () => ({ default: (await import('./filter-choices')).StatusChoices })),
  year: lazy(async () => ({ default: (await import('./filter-choices')).YearChoices })),
  mode: lazy(async () => ({ default: (await import('./filter-choices')).ModeChoices })),
  school: lazy(async () => ({ default: (await import('./filter-choices')).SchoolChoices })),
  assignee: lazy(async () => ({ default: (await import('./filter-choices')).AssigneeChoices })),
  period: lazy(async () => ({ default: (await import('./filter-choices')).PeriodChoices })),
}
type FilterName = keyof typeof choices

/** A filter with choices of its own, which are fetched when they are first wanted. */
function Filter({ name, filters, counts }: FilterProps & { name: FilterName }) {
  const t = useTranslations('inbox.filter')
  const text = useFilterText(name, filters, counts)
  const Choices = choices[name]
  return (
    <FilterChip
      name={t(name)}
      value={text}
      onClear={() => filters.set(name === 'period' ? { from: null, to: null } : { [name]: null })}
    >
      {(close) => <Choices name={t(name)} filters={filters} counts={counts} close={close} />}
    </FilterChip>
  )
}

/** What a chip says once something is chosen. */
function useFilterText(name: FilterName, { params }: ListFilters, counts: ListCounts | undefined): string | null {
  const t = useTranslations()
  const schools = useSchoolNames()
  const assignees = useAssigneeText(params.assignee)
  const period = usePeriodText({ from: params.from, to: params.to })
  const first = <Value,>(chosen: readonly Value[], say: (value: Value) => string) => {
    const [one] = chosen
    if (one === undefined) return null
    return chosen.length === 1
      ? say(one)
      : t('inbox.filter.more', { first: say(one), count: String(chosen.length - 1) })
  }
  switch (name) {
    case 'status': {
      const text = first(params.status, (status) => t(`common.status.${status}`))
      const sum = LEAD_STATUSES.reduce(
        (all, one) => all + (params.status.includes(one) ? (counts?.status[one] ?? 0) : 0),
        0,
      )
      return text === null || counts === undefined ? text : t('inbox.filter.counted', { text, count: sum })
    }
    case 'year':
      return first(params.year, (year) => t('inbox.filter.start', { year: String(year) }))
    case 'mode':
      return first(params.mode, (mode) => t(`inbox.mode.${mode}`))
    case 'school':
      return first(params.school, schools.byId)
    case 'assignee':
      return first(params.assignee, assignees)
    case 'period':
      return period
    default:
      return name satisfies never
  }
}

/** What an assignee is called in a filter. Names are fetched only when somebody is chosen by name. */
function useAssigneeText(chosen: readonly string[]): (value: string) => string {
  const t = useTranslations('inbox.filter')
  const isNamed = chosen.some((value) => value !== 'me' && value !== 'none')
  const { data } = useQuery({ ...peopleQuery, enabled: isNamed })
  return (value) => {
    if (value === 'me') return t('mine')
    if (value === 'none') return t('unassigned')
    return data?.people.find(({ id }) => id === value)?.name ?? t('somebody')
  }
}

/** A period in words; null when there is none. */
function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (period.from === null && period.to === null) return null
  const preset = presetOf(period, today)
  if (preset !== null) return t(`period.${preset}`)
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const day = (text: string) => format.format(new Date(`${text}T12:00:00Z`))
  if (period.from !== null && period.to !== null) {
    return period.from === period.to
      ? day(period.from)
      : t('filter.between', { from: day(period.from), to: day(period.to) })
  }
  if (period.from !== null) return t('filter.since', { from: day(period.from) })
  return period.to === null ? null : t('filter.until', { to: day(period.to) })
}

type FilterChipProps = {
  name: string
  /** What is chosen, in words; null while the filter is not set. */
  value: string | null
  onClear: () => void
  children: (close: () => void) => ReactNode
}

/** One filter: a button that opens its choices, and once something is chosen, a cross that takes it away. */
function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const isOn = value !== null
  return (
    <div data-on={isOn} className={cn(chipClass, 'group hover:not-data-[on=true]:bg-hover')}>
      <Popover
        label={name}
        className="p-1"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            aria-label={isOn ? `${name}: ${value}` : name}
            className="inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 not-group-data-[on=true]:pr-2 group-data-[on=true]:pr-1"
          >
            <span className="truncate">{value ?? name}</span>
            {!isOn && <ChevronDown aria-hidden className="size-3 text-faint" />}
          </button>
        )}
      >
        {(close) => (
          <div>
            <Suspense fallback={<Spinner className="m-3 size-4 text-faint" />}>{children(close)}</Suspense>
          </div>
        )}
      </Popover>
      {isOn && <RemoveButton name={name} onClear={onClear} />}
    </div>
  )
}

const chipClass =
  'inline-flex h-6.5 max-w-full min-w-0 shrink-0 items-center rounded-full border border-line bg-panel text-xs text-mute transition-colors data-[on=true]:border-transparent data-[on=true]:bg-accent-soft data-[on=true]:font-medium data-[on=true]:text-ink touch:h-9'

function RemoveButton({ name, onClear }: { name: string; onClear: () => void }) {
  const t = useTranslations('inbox.filter')
  return (
    <button
      type="button"
      aria-label={t('remove', { name })}
      onClick={onClear}
      className="grid h-full w-6 shrink-0 place-items-center rounded-full pr-0.5 text-mute hover:text-ink touch:w-9"
    >
      <X aria-hidden className="size-3" />
    </button>
  )
}
