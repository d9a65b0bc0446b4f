import { useQuery } from '@tanstack/react-query'
import { ChevronDown, X } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useThisYear, useToday } from '@/components/browser/clock'
import { lazyPart } from '@/components/desk/lazy-part'
import { useSchoolNames } from '@/components/desk/schools'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import { peopleQuery } from '@/lib/api/queries'
import type { ListCounts } from '@/lib/contract/list-query'
import { isPlausibleYear, type ListDescription } from '@/lib/contract/lists'
import { presetOf } from '@/lib/inbox/filter-params'
import { DAY_AND_MONTH, formatted } from '@/lib/time/format-time'
import { type Period, stockholmDay } from '@/lib/time/stockholm'
import type { FilterName } from './filter-choices'
import { type ListFilters, NO_WORK_CHOICE, workChoiceOf } from './list-filters'

type FilterBarProps = { description: ListDescription; filters: ListFilters; counts: ListCounts | undefined }

export function FilterBar({ description, filters, counts, onSave }: FilterBarProps & { onSave: () => void }) {
  const t = useTranslations('inbox')
  return (
    <fieldset className="edge -mx-4 flex min-w-0 items-center gap-1.5 overflow-x-auto py-0.5 not-desk:[mask-image:linear-gradient(to_right,black_calc(100%-1.5rem),transparent)] desk:-mx-5 desk:gap-1 [scrollbar-width:none] desk:flex-wrap">
      <legend className="sr-only">{t('filters')}</legend>
      <WorkChips filters={filters} counts={counts} />
      <Filter name="status" filters={filters} counts={counts} />
      <FreshFilter filters={filters} counts={counts} />
      <Together>
        <Filter name={description.ownFilter} filters={filters} counts={counts} />
        <Filter name="school" filters={filters} counts={counts} />
      </Together>
      <Together>
        <Filter name="assignee" filters={filters} counts={counts} />
        <Filter name="work" filters={filters} counts={counts} />
        <Filter name="period" filters={filters} counts={counts} />
      </Together>
      {filters.isFiltered && (
        <Together>
          <button type="button" onClick={filters.clear} aria-keyshortcuts="c" className={quietButton}>
            {t('filter.clearAll')}
          </button>
          <button type="button" onClick={onSave} className={quietButton}>
            {t('filter.save')}
          </button>
        </Together>
      )}
    </fieldset>
  )
}

/** Where the line is too short, these go to the next one together: none is left alone there. */
function Together({ children }: { children: ReactNode }) {
  return <div className="flex shrink-0 items-center gap-[inherit] desk:max-w-full desk:flex-wrap">{children}</div>
}

const quietButton =
  'h-7 shrink-0 rounded-full px-1.5 text-xs text-mute underline-offset-2 hover:text-ink hover:underline touch:h-9'

type FilterProps = Omit<FilterBarProps, 'description'>

function WorkChips({ filters, counts }: FilterProps) {
  const t = useTranslations('inbox.work')
  const waiting = Object.values(counts?.waiting ?? {}).reduce((sum, count) => sum + count, 0)
  const numbers = { waiting, late: counts?.late ?? 0 }
  return (['waiting', 'late'] as const).map((name) => {
    const isOn = filters.params[name] === '1'
    if (!isOn && numbers[name] === 0) return null
    const other = name === 'waiting' ? 'late' : 'waiting'
    return (
      <button
        key={name}
        type="button"
        aria-pressed={isOn}
        onClick={() => filters.set({ [name]: isOn ? null : '1', [other]: null })}
        className="chip tabular px-2.5"
      >
        {t(`count.${name}`, { count: numbers[name] })}
      </button>
    )
  })
}

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
      className="chip gap-1.5 px-2.5"
    >
      {t('fresh')}
      {count !== undefined && <span className="tabular font-normal text-faint">{count}</span>}
    </button>
  )
}

const FilterChoices = lazyPart(
  async () => (await import('./filter-choices')).FilterChoices,
  <Spinner className="m-3 size-4 text-faint" />,
)

function Filter({ name, filters, counts }: FilterProps & { name: FilterName }) {
  const t = useTranslations('inbox.filter')
  const text = useFilterText(name, filters)
  return (
    <FilterChip name={t(name)} value={text} onClear={() => filters.set(cleared(name))}>
      {(close) => <FilterChoices is={name} name={t(name)} filters={filters} counts={counts} close={close} />}
    </FilterChip>
  )
}

function cleared(name: FilterName): Parameters<ListFilters['set']>[0] {
  if (name === 'period') return { from: null, to: null }
  return name === 'work' ? NO_WORK_CHOICE : { [name]: null }
}

function useFilterText(name: FilterName, { params }: ListFilters): string | null {
  const t = useTranslations()
  const schools = useSchoolNames()
  const assignees = useAssigneeText(params.assignee)
  const period = usePeriodText({ from: params.from, to: params.to })
  const thisYear = useThisYear()
  const choice = workChoiceOf(params)
  // Those that cannot be right are one.
  const years = [...new Set(params.year.map((year) => (isPlausibleYear(year, thisYear) ? String(year) : null)))]
  const first = <Value,>(chosen: readonly Value[], say: (value: Value) => string) => {
    const [one] = chosen
    if (one === undefined) return null
    return chosen.length === 1
      ? say(one)
      : t('inbox.filter.more', { first: say(one), count: String(chosen.length - 1) })
  }
  switch (name) {
    case 'status':
      return first(params.status, (status) => t(`common.status.${status}`))
    case 'year':
      return first(years, (year) => (year === null ? t('inbox.filter.otherYear') : t('inbox.filter.start', { year })))
    case 'mode':
      return first(params.mode, (mode) => t(`inbox.mode.${mode}`))
    case 'school':
      return first(params.school, schools.byId)
    case 'assignee':
      return first(params.assignee, assignees)
    case 'period':
      return period
    case 'work':
      return choice === 'any' ? null : t(`inbox.work.${choice}`)
    default:
      return name satisfies never
  }
}

/** What an assignee is called in a filter. Names are fetched only when a person is chosen by name. */
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

function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (period.from === null && period.to === null) return null
  const preset = presetOf(period, today)
  if (preset !== null) return t(`period.${preset}`)
  const day = (text: string | null) =>
    text && formatted(Date.parse(`${text}T12:00:00Z`), { ...DAY_AND_MONTH, year: 'numeric' }, locale)
  const [from, to] = [day(period.from) ?? '', day(period.to) ?? '']
  if (period.to === null) return t('filter.since', { from })
  if (period.from === null) return t('filter.until', { to })
  return from === to ? from : t('filter.between', { from, to })
}

type FilterChipProps = {
  name: string
  value: string | null
  onClear: () => void
  children: (close: () => void) => ReactNode
}

function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const t = useTranslations('inbox.filter')
  const isOn = value !== null
  return (
    <div data-on={isOn} className="chip group print:not-data-[on=true]:hidden">
      <Popover
        label={name}
        className="p-1"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            data-prints=""
            aria-label={isOn ? `${name}: ${value}` : name}
            className="inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 not-group-data-[on=true]:pr-2 group-data-[on=true]:pr-1"
          >
            <span className="truncate">{value ?? name}</span>
            {!isOn && <ChevronDown aria-hidden className="size-3 text-faint" />}
          </button>
        )}
      >
        {(close) => <div>{children(close)}</div>}
      </Popover>
      {isOn && (
        <button
          type="button"
          aria-label={t('remove', { name })}
          onClick={onClear}
          className="grid h-full w-6 shrink-0 place-items-center rounded-full pr-0.5 text-mute hover:text-ink touch:w-9"
        >
          <X aria-hidden className="size-3" />
        </button>
      )}
    </div>
  )
}
