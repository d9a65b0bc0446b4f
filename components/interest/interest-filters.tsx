'use client'

import { ChevronDown, Printer } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { InterestPage, Unit } from '@/lib/interest/interest-page'
import { PeriodFilter } from './period-filter'
import { useInterestUrl } from './use-interest-url'

const UNITS = ['declarations', 'people'] as const satisfies readonly Unit[]

/** What is counted, of which cohort, of when. The schools are chosen in the menu. */
export function InterestFilters({ page: { cohort, cohorts, cycle, asOf } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { from, to, set, unit, setUnit } = useInterestUrl()
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5 print:hidden">
      <legend className="sr-only">{t('filters')}</legend>
      <Menu
        label={t('cohort')}
        trigger={(props) => (
          <button
            {...props}
            type="button"
            aria-label={`${t('cohort')}: ${cohort}`}
            className="tabular inline-flex h-6.5 items-center gap-1 rounded-full bg-accent-soft pr-2 pl-2.5 text-xs font-medium touch:h-9"
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
                void set({ cohort: year })
                close()
              }}
            >
              {year}
            </MenuItem>
          ))
        }
      </Menu>
      <PeriodFilter
        period={{ from, to }}
        basis={{ cohort, cycle, today: asOf }}
        onChange={(period) => void set(period)}
      />
      <UnitSwitch unit={unit} onChange={setUnit} />
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-3.5" />
        {t('print')}
      </Button>
    </fieldset>
  )
}

function UnitSwitch({ unit, onChange }: { unit: Unit; onChange: (unit: Unit) => void }) {
  const t = useTranslations('interest')
  return (
    <span role="group" aria-label={t('counting')} className="inline-flex rounded-full border border-line bg-panel p-px">
      {UNITS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === unit}
          onClick={() => onChange(one)}
          className="h-6 rounded-full px-2.5 text-xs text-mute hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-ink touch:h-9"
        >
          {t(`unit.${one}`)}
        </button>
      ))}
    </span>
  )
}
