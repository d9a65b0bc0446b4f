import { ChevronDown, Printer } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { PeriodPicker } from '@/components/ui/period-picker'
import { Popover } from '@/components/ui/popover'
import { type PeriodBasis, periodOf, periodPresets, presetOf } from '@/lib/interest/cohort'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, type Period } from '@/lib/time/stockholm'
import { UNITS, useInterestUrl } from './use-interest-url'

/** What is counted, of which cohort, of when. The schools are chosen in the menu. */
export function InterestFilters({ page: { cohort, cohorts, cycle, asOf } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { from, to, set, unit, setUnit } = useInterestUrl()
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5 print:hidden">
      <legend className="sr-only">{t('filters')}</legend>
      <CohortMenu cohort={cohort} cohorts={cohorts} onChoose={(year) => set({ cohort: year })} />
      <PeriodFilter period={{ from, to }} basis={{ cohort, cycle, today: asOf }} onChange={(period) => set(period)} />
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
    <Menu
      label={t('cohort')}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={`${t('cohort')}: ${cohort}`}
          data-on="true"
          className="chip tabular gap-1 pr-2 pl-2.5"
        >
          {t('cohortChip', { year: String(cohort) })}
          <ChevronDown aria-hidden className="size-3 text-mute" />
        </button>
      )}
    >
      {(close) =>
        cohorts.map((year) => (
          <MenuItem
            key={year}
            checked={year === cohort}
            onSelect={() => {
              onChoose(year)
              close()
            }}
          >
            {year}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

type PeriodFilterProps = { period: Period; basis: PeriodBasis; onChange: (period: Period) => void }

/** When the leads came that are counted. */
function PeriodFilter({ period, basis, onChange }: PeriodFilterProps) {
  const t = useTranslations('interest.period')
  const preset = presetOf(period, basis)
  const text = usePeriodText(period, basis)
  return (
    <Popover
      label={t('name')}
      className="p-1"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={`${t('name')}: ${text}`}
          data-on={preset !== 'all'}
          className="chip tabular gap-1 pr-2 pl-2.5"
        >
          <span suppressHydrationWarning>{text}</span>
          <ChevronDown aria-hidden className="size-3 text-faint" />
        </button>
      )}
    >
      {(close) => (
        <PeriodPicker
          presets={periodPresets.map((value) => ({ value, label: t(value, { year: String(basis.cohort) }) }))}
          preset={preset}
          period={period}
          words={{ from: t('from'), to: t('to'), done: t('done') }}
          onPreset={(choice) => onChange(periodOf(choice, basis))}
          onPeriod={(part) => onChange({ ...period, ...part })}
          close={close}
        />
      )}
    </Popover>
  )
}

function usePeriodText(period: Period, basis: PeriodBasis): string {
  const t = useTranslations('interest.period')
  const locale = useLocale()
  const preset = presetOf(period, basis)
  if (preset !== null) return t(preset, { year: String(basis.cohort) })
  const day = (text: string) => fullDay(epochDay(text), locale)
  if (period.from === null) return t('until', { to: day(period.to ?? basis.today) })
  return period.to === null
    ? t('since', { from: day(period.from) })
    : t('between', { from: day(period.from), to: day(period.to) })
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
