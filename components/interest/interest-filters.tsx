import { ChevronDown, Printer } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { singleValues, useServerRedraw, useUrlState } from '@/components/browser/url-state'
import { Button } from '@/components/ui/button'
import { ChoiceMenu } from '@/components/ui/menu'
import { PeriodPicker } from '@/components/ui/period-picker'
import { Popover, type TriggerProps } from '@/components/ui/popover'
import { monthsAndWeeks, type PeriodBasis, periodOf, periodPresets, presetOf } from '@/lib/interest/cohort'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullDay, monthName } from '@/lib/time/format-date'
import { dayText, epochDay, type Period } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { useWeekWords } from './weeks-charts'

const UNITS = ['declarations', 'people'] as const satisfies readonly Unit[]
const USUAL_UNIT = 'declarations'

type Counted = { cohort: number; from: string | null; to: string | null }

/** What is chosen on the page, but for the schools; the server draws it again after a change of what is counted. */
export function useInterestUrl() {
  const { search, write } = useUrlState()
  const redraw = useServerRedraw()
  return {
    from: dayIn(search.get('from')),
    to: dayIn(search.get('to')),
    set: (change: Partial<Counted>) => redraw(singleValues(change)),
    unit: UNITS.find((unit) => unit === search.get('unit')) ?? USUAL_UNIT,
    setUnit: (unit: Unit) => write(singleValues({ unit: unit === USUAL_UNIT ? null : unit }), 'replace'),
  }
}

function dayIn(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null
}

export function InterestFilters({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { set, unit, setUnit } = useInterestUrl()
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5 print:hidden">
      <legend className="sr-only">{t('filters')}</legend>
      <CohortMenu cohort={page.cohort} cohorts={page.cohorts} onChoose={(year) => set({ cohort: year })} />
      <PeriodFilter page={page} />
      <UnitSwitch unit={unit} onChange={setUnit} />
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-3.5" />
        {t('print')}
      </Button>
    </fieldset>
  )
}

type CohortMenuProps = Pick<InterestPage, 'cohort' | 'cohorts'> & { onChoose: (cohort: number) => void }

function CohortMenu({ cohort, cohorts, onChoose }: CohortMenuProps) {
  const t = useTranslations('interest')
  return (
    <ChoiceMenu
      label={t('cohort')}
      entries={cohorts.map((year) => ({
        text: String(year),
        checked: year === cohort,
        onSelect: () => onChoose(year),
      }))}
      trigger={(props) => (
        <ChipButton {...props} label={`${t('cohort')}: ${cohort}`} isOn iconClass="text-mute">
          {t('cohortChip', { year: String(cohort) })}
        </ChipButton>
      )}
    />
  )
}

type ChipButtonProps = TriggerProps & { label: string; isOn: boolean; iconClass: string }

function ChipButton({ label, isOn, iconClass, children, ...props }: ChipButtonProps) {
  return (
    <button {...props} type="button" aria-label={label} data-on={isOn} className="chip tabular gap-1 pr-2 pl-2.5">
      {children}
      <ChevronDown aria-hidden className={`size-3 ${iconClass}`} />
    </button>
  )
}

function PeriodFilter({ page: { cohort, cycle, asOf, period, isRounded } }: { page: InterestPage }) {
  const t = useTranslations('interest.period')
  const { from, to, set } = useInterestUrl()
  const basis = { cohort, cycle, today: asOf }
  const preset = presetOf({ from, to }, basis)
  const counted = isRounded ? period : { from, to }
  const spanText = useSpanText(asOf)
  const text = preset === null ? spanText(counted) : t(preset, { year: String(cohort) })
  const days = useDayChoices(basis, period)
  return (
    <Popover
      label={t('name')}
      className="p-1"
      trigger={(props) => (
        <ChipButton {...props} label={`${t('name')}: ${text}`} isOn={preset !== 'all'} iconClass="text-faint">
          <span suppressHydrationWarning>{text}</span>
        </ChipButton>
      )}
    >
      {(close) => (
        <PeriodPicker
          presets={periodPresets
            .filter((value) => !isRounded || value === 'all' || value === 'admission-year')
            .map((value) => ({ value, label: t(value, { year: String(cohort) }) }))}
          preset={preset}
          period={counted}
          words={{ from: t('from'), to: t('to'), done: t('done') }}
          days={isRounded ? days : undefined}
          onPreset={(choice) => set(periodOf(choice, basis))}
          onPeriod={(part) => set({ ...counted, ...part })}
          close={close}
        />
      )}
    </Popover>
  )
}

function useDayChoices(basis: PeriodBasis, period: Period) {
  const t = useTranslations('interest.period')
  const locale = useLocale()
  const { nameOf } = useWeekWords()
  const { months, weeks } = monthsAndWeeks(basis)
  const monthOf = (day: number) => `${monthName(day, locale)} ${dayText(day).slice(0, 4)}`
  const endsOf = (end: 'from' | 'to') => {
    const groups = [
      { label: t('months'), days: months.map((month) => ({ day: dayText(month[end]), label: monthOf(month.from) })) },
      {
        label: t('weeks'),
        days: weeks.map((week) => ({ day: dayText(week[end]), label: nameOf({ week: isoWeek(week.from) }) })),
      },
    ]
    const day = period[end]
    const isKnown = day === null || groups.some(({ days }) => days.some((one) => one.day === day))
    return isKnown ? groups : [{ label: t('name'), days: [{ day, label: fullDay(epochDay(day), locale) }] }, ...groups]
  }
  return { from: endsOf('from'), to: endsOf('to') }
}

function useSpanText(today: string): (period: Period) => string {
  const t = useTranslations('interest.period')
  const locale = useLocale()
  const day = (text: string) => fullDay(epochDay(text), locale)
  return ({ from, to }) => {
    if (from === null) return t('until', { to: day(to ?? today) })
    return to === null ? t('since', { from: day(from) }) : t('between', { from: day(from), to: day(to) })
  }
}

function UnitSwitch({ unit, onChange }: { unit: Unit; onChange: (unit: Unit) => void }) {
  const t = useTranslations('interest')
  return (
    <span
      role="group"
      aria-label={t('counting')}
      className="inline-flex max-w-full flex-wrap rounded-[1rem] border border-line bg-panel p-px"
    >
      {UNITS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === unit}
          onClick={() => onChange(one)}
          className="min-h-6 rounded-full px-2.5 text-xs text-mute hover:text-ink aria-pressed:bg-fill aria-pressed:font-medium aria-pressed:text-ink touch:min-h-9"
        >
          {t(`unit.${one}`)}
        </button>
      ))}
    </span>
  )
}
