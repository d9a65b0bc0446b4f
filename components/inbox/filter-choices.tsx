import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { useThisYear, useToday } from '@/components/browser/clock'
import { useCurrentUser } from '@/components/desk/current-user'
import { StatusDot } from '@/components/triage/status-dot'
import { type Choice, ChoiceList } from '@/components/ui/choice-list'
import { PeriodPicker } from '@/components/ui/period-picker'
import { highSchools, peopleQuery } from '@/lib/api/queries'
import type { ListCounts } from '@/lib/contract/list-query'
import { CONTACT_MODES, LEAD_STATUSES } from '@/lib/contract/lists'
import { PERIOD_PRESETS, periodOf, presetOf } from '@/lib/inbox/filter-params'
import { yearChoices } from '@/lib/leads/enrollment-year'
import { stockholmDay } from '@/lib/time/stockholm'
import { type ListFilters, WORK_CHOICES, type WorkChoice, workChoiceOf } from './list-filters'

type ChoicesProps = { name: string; filters: ListFilters; counts: ListCounts | undefined; close: () => void }

export function FilterChoices({ is, ...props }: ChoicesProps & { is: FilterName }) {
  const Choices = CHOICES[is]
  return <Choices {...props} />
}

function StatusChoices(props: ChoicesProps) {
  const t = useTranslations('common.status')
  const choices = LEAD_STATUSES.map((value) => ({ value, label: t(value), icon: <StatusDot status={value} /> }))
  return <FilterList {...props} is="status" choices={choices} />
}

function ModeChoices(props: ChoicesProps) {
  const t = useTranslations('inbox.mode')
  return <FilterList {...props} is="mode" choices={CONTACT_MODES.map((value) => ({ value, label: t(value) }))} />
}

function YearChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.filter')
  const counted = Object.keys(counts?.year ?? {}).map(Number)
  const { years, others } = yearChoices(useThisYear(), counted, params.year)
  const isOther = (year: number) => others.includes(year)
  const sum = others.reduce((all, year) => all + (counts?.year[String(year)] ?? 0), 0)
  const chosen = params.year.filter((year) => !isOther(year)).map(String)
  return (
    <CountedChoices
      name={name}
      choices={[
        ...years.map((year) => ({ value: String(year), label: String(year) })),
        ...(others.length > 0 ? [{ value: OTHER, label: t('otherYear') }] : []),
      ]}
      counts={counts && { ...counts.year, [OTHER]: sum }}
      chosen={params.year.some(isOther) ? [...chosen, OTHER] : chosen}
      onChange={(next) => set({ year: next && next.flatMap((value) => (value === OTHER ? others : [Number(value)])) })}
    />
  )
}

const OTHER = 'other'

function SchoolChoices(props: ChoicesProps) {
  const { data } = useQuery(highSchools)
  const known = (data?.highSchools ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const unknown = props.filters.params.school.filter((id) => known.every(({ value }) => value !== id))
  const choices = [...known, ...unknown.map((id) => ({ value: id, label: id }))]
  return <FilterList {...props} is="school" choices={choices} />
}

function AssigneeChoices({ counts, ...props }: ChoicesProps) {
  const t = useTranslations('inbox.filter')
  const ownId = useCurrentUser()?.id ?? ''
  const { data } = useQuery(peopleQuery)
  const others = (data?.people ?? []).filter(({ id }) => id !== ownId)
  const choices = [
    { value: 'me', label: t('mine') },
    { value: 'none', label: t('unassigned') },
    ...others.map((person) => ({ value: person.id, label: person.name })),
  ]
  const own = counts?.assignee[ownId]
  const withOwn = counts && { ...counts, assignee: { ...counts.assignee, ...(own !== undefined && { me: own }) } }
  return <FilterList {...props} counts={withOwn} is="assignee" choices={choices} />
}

function PeriodChoices({ filters: { params, set }, close }: ChoicesProps) {
  const t = useTranslations('inbox')
  const today = stockholmDay(useToday())
  const period = { from: params.from, to: params.to }
  return (
    <PeriodPicker
      presets={PERIOD_PRESETS.map((value) => ({ value, label: t(`period.${value}`) }))}
      preset={presetOf(period, today)}
      period={period}
      words={{ from: t('filter.from'), to: t('filter.to'), done: t('filter.done') }}
      latest={today}
      onPreset={(preset) => set(periodOf(preset, today))}
      onPeriod={set}
      close={close}
    />
  )
}

function WorkChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox')
  const group = useId()
  const chosen = workChoiceOf(params)
  const hidden: Partial<Record<WorkChoice, number>> = counts?.hidden ?? {}
  return (
    <fieldset className="flex w-60 flex-col">
      <legend className="sr-only">{name}</legend>
      {WORK_NAMES.map((choice) => (
        <label
          key={choice}
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent touch:min-h-11"
        >
          <input
            type="radio"
            name={group}
            checked={choice === chosen}
            onChange={() => set(WORK_CHOICES[choice])}
            className="size-3.5 shrink-0"
          />
          {t(`work.${choice}`)}
          {(hidden[choice] ?? 0) > 0 && (
            <span className="tabular ml-auto text-xs text-faint">{t('total', { count: hidden[choice] ?? 0 })}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}

const WORK_NAMES = ['any', 'unanswered', 'answered', 'followUp', 'snoozed', 'earlier'] as const satisfies WorkChoice[]

const CHOICES = {
  status: StatusChoices,
  year: YearChoices,
  mode: ModeChoices,
  school: SchoolChoices,
  assignee: AssigneeChoices,
  work: WorkChoices,
  period: PeriodChoices,
}
export type FilterName = keyof typeof CHOICES

type FilterListProps = Omit<ChoicesProps, 'close'> & {
  is: 'status' | 'mode' | 'school' | 'assignee'
  choices: readonly Choice<string>[]
}

function FilterList({ name, is, choices, filters: { params, set }, counts }: FilterListProps) {
  const onChange = (chosen: string[] | null) => set({ [is]: chosen })
  return <CountedChoices name={name} choices={choices} counts={counts?.[is]} chosen={params[is]} onChange={onChange} />
}

type CountedChoicesProps = {
  name: string
  choices: readonly Choice<string>[]
  /** How many leads each would show; one that is missing shows none. Undefined until they are counted. */
  counts: Readonly<Record<string, number>> | undefined
  chosen: readonly string[]
  onChange: (chosen: string[] | null) => void
}

const SEARCHABLE_FROM = 9

function CountedChoices({ name, choices, counts, chosen, onChange }: CountedChoicesProps) {
  const t = useTranslations('inbox')
  const counted = choices.map((choice) =>
    counts === undefined ? choice : { ...choice, note: t('total', { count: counts[choice.value] ?? 0 }) },
  )
  return (
    <ChoiceList
      name={name}
      choices={counted}
      chosen={chosen}
      onChange={(next) => onChange(next.length === 0 ? null : next)}
      words={{ find: t('filter.find'), none: t('filter.notFound') }}
      searchableFrom={SEARCHABLE_FROM}
    />
  )
}
